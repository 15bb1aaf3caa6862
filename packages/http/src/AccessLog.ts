/** One line for each request: what was asked, how it was answered, and how long that took. */
import type { AccountId } from "@runhook/core/domain/Ids"
import { parse } from "@runhook/core/signing/ApiKey"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CallerSeen } from "./CallerSeen.ts"
import { pathOf } from "./ErrorAnswer.ts"

/**
 * Provide it to `RequestEnvelope.layer`, so that it sees answers as they are
 * sent; leave it out for no log. It never holds a query or a secret: of a key,
 * only the public prefix. Probes, which come every few seconds, are told at
 * the level of debugging.
 */
export const layer = HttpRouter.middleware(
  (handler) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.clockWith((clock) => {
        const begun = clock.currentTimeMillisUnsafe()
        const path = pathOf(request.url)
        const log = probes.has(path) ? Effect.logDebug : Effect.logInfo
        let account_id: AccountId | null = null
        return handler.pipe(
          Effect.provideService(CallerSeen, (accountId) => {
            account_id = accountId
          }),
          Effect.onExit((exit) =>
            log("Request", {
              method: request.method,
              path: path.slice(0, pathLengthMax),
              ...outcomeOf(exit),
              duration_ms: clock.currentTimeMillisUnsafe() - begun,
              ...(account_id === null ? {} : { account_id }),
              ...keyOf(request.headers.authorization)
            })
          )
        )
      })
    ),
  { global: true }
)

/** Paths that machines ask again and again, to see whether the process lives and what it measures. */
const probes: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"])

const pathLengthMax = 200

/** The status nginx made common for callers that hung up before their answer. */
export const abandoned = 499

const outcomeOf = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) =>
  Exit.isSuccess(exit)
    ? { status: exit.value.status, request_id: exit.value.headers["x-request-id"] }
    : { status: abandoned }

const keyOf = (authorization: string | undefined) => {
  const key = parse(authorization?.replace(/^bearer +/i, "") ?? "")
  return key === undefined ? {} : { key_prefix: key.prefix }
}

/** One line for each request: what was asked, how it was answered, and how long that took. */
import { parse } from "@runhook/core/signing/ApiKey"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { pathOf } from "./ErrorAnswer.ts"

/**
 * Provide it to `RequestEnvelope.layer`, so that it sees answers as they are
 * sent; leave it out for no log. It never holds a query or a secret: of a key,
 * only the public prefix.
 */
export const layer = HttpRouter.middleware(
  (handler) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.clockWith((clock) => {
        const begun = clock.currentTimeMillisUnsafe()
        return Effect.onExit(handler, (exit) =>
          Effect.logInfo("Request", {
            method: request.method,
            path: pathOf(request.url).slice(0, pathLengthMax),
            ms: clock.currentTimeMillisUnsafe() - begun,
            ...keyOf(request.headers.authorization),
            ...outcomeOf(exit)
          })
        )
      })
    ),
  { global: true }
)

const pathLengthMax = 200

/** The status nginx made common for callers that hung up before their answer. */
export const abandoned = 499

const outcomeOf = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) =>
  Exit.isSuccess(exit)
    ? { status: exit.value.status, request_id: exit.value.headers["x-request-id"] }
    : { status: abandoned }

const keyOf = (authorization: string | undefined) => {
  const key = parse(authorization?.replace(/^bearer +/i, "") ?? "")
  return key === undefined ? {} : { key: key.prefix }
}

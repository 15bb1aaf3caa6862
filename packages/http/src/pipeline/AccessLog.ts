/** One log line per request: what was asked, how it was answered, and how long that took. */
import { spanOf, traceparentIn } from "@runhook/core/executions/Traceparent"
import { parse } from "@runhook/core/signing/ApiKey"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { pathOf } from "../errors/ErrorAnswer.ts"
import { abandoned, type AfterAnswer } from "./answer/AfterAnswer.ts"

/** None, unless the host wants one. */
export const AccessLog = Context.Reference<AfterAnswer>("@runhook/http/pipeline/AccessLog", {
  defaultValue: () => () => Effect.void
})

const write: AfterAnswer = (call, status) => {
  const { begunAt, id, owner, request } = call
  const path = pathOf(request.url)
  const log = probes.has(path) ? Effect.logDebug : Effect.logInfo
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    log("Request", {
      method: request.method,
      path: path.slice(0, pathLengthMax),
      status,
      ...(status === abandoned ? {} : { request_id: id }),
      duration_ms: now - begunAt,
      ...(owner === undefined || owner === null ? {} : { account_id: owner }),
      ...keyOf(request.headers.authorization),
      ...traceOf(request.headers["traceparent"])
    })
  )
}

/**
 * Provide it to `Pipeline.layer`; leave it out for no log. It never contains a
 * query or a secret, and of a key only the public prefix. Probes, which come every
 * few seconds, are logged at debug level.
 */
export const layer = Layer.succeed(AccessLog, write)

/** Paths that machines request again and again, for health and metrics. */
const probes: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"])

const pathLengthMax = 200

const keyOf = (authorization: string | undefined) => {
  const key = parse(authorization?.replace(/^bearer +/i, "") ?? "")
  return key === undefined ? {} : { key_prefix: key.prefix }
}

const traceOf = (header: string | undefined) => {
  const traceparent = traceparentIn(header)
  return traceparent === null ? {} : { trace_id: spanOf(traceparent).traceId }
}

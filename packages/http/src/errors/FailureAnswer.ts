/** Responses for requests no endpoint answered: unknown route, aborted body, or our own failure. */
import { isStorageFull, type StorageFull } from "@runhook/core/artifacts/HostedFiles"
import { isStorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import { isStoreAway } from "@runhook/core/engine/StoreUnavailable"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import { bodyTooLarge } from "../limits/BodySize.ts"
import type { Call } from "../pipeline/Call.ts"
import type { Routes } from "../pipeline/RouteTable.ts"
import { errorAnswerTo, pathOf, type Problem } from "./ErrorAnswer.ts"

/** Fails only if the caller has disconnected. */
export const answerFailure = Effect.fnUntraced(function* <E>(
  cause: Cause.Cause<E>,
  { id, request }: Call,
  routes: Routes
) {
  const faults = cause.reasons.flatMap((reason) =>
    reason._tag === "Die" ? [reason.defect] : reason._tag === "Fail" ? [reason.error] : []
  )
  if (faults.length === 0) {
    return isAbandoned(cause) ? yield* Effect.failCause(cause) : errorAnswerTo(id, stopping)
  }
  const reason = faults.find(HttpServerError.isHttpServerError)?.reason
  if (reason?._tag === "RouteNotFound") return answerUnrouted(id, request, routes)
  if (reason?._tag === "RequestParseError") {
    return errorAnswerTo(id, reason.reason === "BodyTooLarge" ? bodyTooLarge : unreadable)
  }
  // The storage itself has told the operator, once.
  if (faults.some(isStorageUnavailable)) return errorAnswerTo(id, storageAway)
  const full = faults.find(isStorageFull)
  if (full !== undefined) return errorAnswerTo(id, storageFull(full))
  yield* Effect.logError("Request failed", cause).pipe(
    Effect.annotateLogs({
      request_id: id,
      method: request.method,
      path: pathOf(request.url)
    })
  )
  return errorAnswerTo(id, problemOf(cause))
})

/** The answer for a defect of ours, or for a store that is away. */
export const problemOf = (cause: Cause.Cause<unknown>): Problem => (isStoreAway(cause) ? storeAway : failed)

const failed: Problem = { status: 500, message: "Something went wrong on our side" }
const stopping: Problem = { status: 503, message: "The service is stopping: try again" }
const storeAway: Problem = { status: 503, message: "The store is not available: try again" }
const storageAway: Problem = {
  status: 503,
  message: "The storage of files is not available: try again",
  details: { reason: "storage_unavailable" }
}
const storageFull = ({ message }: StorageFull): Problem => ({
  status: 503,
  message,
  details: { reason: "storage_full" },
  headers: { "retry-after": "60" }
})
const unknown: Problem = { status: 404, message: "There is no such endpoint" }
const undecodable: Problem = { status: 400, message: "path: must be percent-encoded UTF-8" }
const unreadable: Problem = { status: 400, message: "body: ended early or could not be read" }

const isAbandoned = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

/** The path is unknown, or has other methods. */
const answerUnrouted = (
  id: string,
  { method, url }: HttpServerRequest,
  routes: Routes
): HttpServerResponse.HttpServerResponse => {
  if (!isDecodable(pathOf(url))) return errorAnswerTo(id, undecodable)
  const methods = routes.methodsOf(url)
  if (methods.length === 0) return errorAnswerTo(id, unknown)
  const allow = [...methods, "OPTIONS"].join(", ")
  return method === "OPTIONS"
    ? HttpServerResponse.empty({ status: 204, headers: { allow } })
    : errorAnswerTo(id, { status: 405, message: `The method must be one of ${allow}`, headers: { allow } })
}

const isDecodable = (path: string): boolean => Result.isSuccess(Result.try(() => decodeURIComponent(path)))

/** An error for each status, as the service words it. */
import type { Json } from "@runhook/core/shared/json/Json"
import type * as Schema from "effect/Schema"
import * as Api from "../../Errors.ts"
import { ids, requestId } from "./Story.ts"

const bodyOf = <const Code extends string>(code: Code, message: string, details: Json = null) => ({
  error: { code, message, details, request_id: requestId }
})

const broken = (path: ReadonlyArray<string>, message: string) =>
  bodyOf("invalid_request", `${path.join(".")}: ${message}`, { issues: [{ path: [...path], message }] })

/** A body as it is on the wire, beside the schema that it is held to. */
interface Example {
  readonly schema: Schema.ConstraintDecoder<unknown>
  readonly value: unknown
}

const exampleOf = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, value: S["Encoded"]): Example => ({
  schema,
  value
})

export const errorExamples: { readonly [status: string]: Example } = {
  "400": exampleOf(Api.InvalidRequest, broken(["query", "colour"], "is not a known field")),
  "401": exampleOf(Api.Unauthorized, bodyOf("unauthorized", "The key is missing or not valid")),
  "403": exampleOf(
    Api.Forbidden,
    bodyOf("forbidden", "The key may not use this task", { reason: "scope_violation", field: "task_id" })
  ),
  "404": exampleOf(Api.NotFound, bodyOf("not_found", "Not found, or it belongs to another account")),
  "405": exampleOf(
    Api.InvalidRequest,
    bodyOf("invalid_request", "The method must be one of GET, HEAD, OPTIONS")
  ),
  "406": exampleOf(Api.InvalidRequest, bodyOf("invalid_request", "Accept: must allow application/json")),
  "409": exampleOf(
    Api.Conflict,
    bodyOf("invalid_request", `Execution ${ids.execution} is completed already`, {
      reason: "already_finished",
      status: "completed"
    })
  ),
  "413": exampleOf(Api.InvalidRequest, bodyOf("invalid_request", "body: must be at most 1048576 bytes")),
  "415": exampleOf(Api.InvalidRequest, bodyOf("invalid_request", "Content-Type: must be application/json")),
  "416": exampleOf(Api.InvalidRequest, bodyOf("invalid_request", "The range is beyond the end of the file")),
  "422": exampleOf(Api.Unprocessable, broken(["body", "priority"], "must be between -1000 and 1000")),
  "429": exampleOf(
    Api.TooManyRequests,
    bodyOf("rate_limited", "Too many requests with this key: try again in 1 s", {
      limit: 200,
      retry_after_seconds: 1
    })
  ),
  "500": exampleOf(Api.InternalError, bodyOf("internal_error", "Something went wrong on our side")),
  "503": exampleOf(Api.Unavailable, bodyOf("internal_error", "The service is stopping: try again"))
}

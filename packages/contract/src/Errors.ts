/** The error object, once per status: `{error: {code, message, details, request_id}}`. To callers they are one: `ErrorBody`. */
import * as Schema from "effect/Schema"
import { RequestId } from "./RequestId.ts"

/** The error object as one value among others; it may be any of the errors below. */
export const ErrorObject = Schema.Struct({
  code: Schema.Literals([
    "invalid_request",
    "unauthorized",
    "forbidden",
    "not_found",
    "idempotency_conflict",
    "invalid_params",
    "rate_limited",
    "concurrency_limit_reached",
    "internal_error"
  ]),
  message: Schema.String.annotate({ description: "Human-readable description." }),
  details: Schema.Json.annotate({ description: "Extra information, null when there is none." }),
  request_id: RequestId
}).annotate({ identifier: "ErrorObject", description: "What is wrong, for programs and for people." })

/** The body of every error. */
export const ErrorBody = Schema.Struct({ error: ErrorObject }).annotate({
  identifier: "Error",
  description: "Why a request was not answered otherwise."
})

const bodyWith = <const Codes extends ReadonlyArray<(typeof ErrorObject.fields.code.literals)[number]>>(
  ...codes: Codes
) => Schema.Struct({ error: Schema.Struct({ ...ErrorObject.fields, code: Schema.Literals(codes) }) })

export class InvalidRequest extends Schema.Error<InvalidRequest>("InvalidRequest")(
  bodyWith("invalid_request"),
  { httpApiStatus: 400, description: "Malformed request" }
) {}

export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(bodyWith("unauthorized"), {
  httpApiStatus: 401,
  description: "No valid key"
}) {}

export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(bodyWith("forbidden"), {
  httpApiStatus: 403,
  description: "Outside the key's scope or capabilities"
}) {}

export class NotFound extends Schema.Error<NotFound>("NotFound")(bodyWith("not_found"), {
  httpApiStatus: 404,
  description: "Unknown, or of another account"
}) {}

export class Conflict extends Schema.Error<Conflict>("Conflict")(
  bodyWith("idempotency_conflict", "invalid_request", "concurrency_limit_reached"),
  { httpApiStatus: 409, description: "Contradicts the present state" }
) {}

export class Unprocessable extends Schema.Error<Unprocessable>("Unprocessable")(
  bodyWith("invalid_request", "invalid_params", "forbidden"),
  { httpApiStatus: 422, description: "Breaks a rule" }
) {}

export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequests")(
  bodyWith("rate_limited", "concurrency_limit_reached"),
  { httpApiStatus: 429, description: "Over a limit" }
) {}

export class InternalError extends Schema.Error<InternalError>("InternalError")(bodyWith("internal_error"), {
  httpApiStatus: 500,
  description: "Unexpected failure"
}) {}

export class Unavailable extends Schema.Error<Unavailable>("Unavailable")(bodyWith("internal_error"), {
  httpApiStatus: 503,
  description: "Try again later"
}) {}

/** The error object, once per status: `{error: {code, message, details, request_id}}`. */
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
  message: Schema.String,
  details: Schema.Json,
  request_id: RequestId
}).annotate({ identifier: "ErrorObject", description: "What is wrong, for programs and for people." })

const body = <Code extends Schema.Codec<string>>(options: {
  readonly identifier: string
  readonly code: Code
  readonly message: string
}) =>
  Schema.Struct({
    error: Schema.Struct({
      code: options.code,
      message: Schema.String.annotate({ description: "Human-readable description." }),
      details: Schema.Json.annotate({ description: "Extra information, null when there is none." }),
      request_id: RequestId
    })
  }).annotate({ identifier: options.identifier, description: options.message })

export class InvalidRequest extends Schema.Error<InvalidRequest>("InvalidRequest")(
  body({
    identifier: "InvalidRequestError",
    code: Schema.Literal("invalid_request"),
    message: "The request is malformed: its path, query, headers or JSON."
  }),
  { httpApiStatus: 400, description: "Malformed request" }
) {}

export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  body({
    identifier: "UnauthorizedError",
    code: Schema.Literal("unauthorized"),
    message: "The key is missing or not valid."
  }),
  { httpApiStatus: 401, description: "No valid key" }
) {}

export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(
  body({
    identifier: "ForbiddenError",
    code: Schema.Literal("forbidden"),
    message: "The key may not do this."
  }),
  { httpApiStatus: 403, description: "Outside the key's scope or capabilities" }
) {}

export class NotFound extends Schema.Error<NotFound>("NotFound")(
  body({
    identifier: "NotFoundError",
    code: Schema.Literal("not_found"),
    message: "It does not exist, or belongs to another account."
  }),
  { httpApiStatus: 404, description: "Unknown, or of another account" }
) {}

export class Conflict extends Schema.Error<Conflict>("Conflict")(
  body({
    identifier: "ConflictError",
    code: Schema.Literals(["idempotency_conflict", "invalid_request"]),
    message: "The request contradicts the present state."
  }),
  { httpApiStatus: 409, description: "Contradicts the present state" }
) {}

export class Unprocessable extends Schema.Error<Unprocessable>("Unprocessable")(
  body({
    identifier: "UnprocessableError",
    code: Schema.Literals(["invalid_request", "invalid_params", "forbidden"]),
    message: "The request is well-formed and breaks a rule."
  }),
  { httpApiStatus: 422, description: "Breaks a rule" }
) {}

export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequests")(
  body({
    identifier: "TooManyRequestsError",
    code: Schema.Literals(["rate_limited", "concurrency_limit_reached"]),
    message: "Over a limit of the key or account; see Retry-After."
  }),
  { httpApiStatus: 429, description: "Over a limit" }
) {}

export class InternalError extends Schema.Error<InternalError>("InternalError")(
  body({
    identifier: "InternalErrorBody",
    code: Schema.Literal("internal_error"),
    message: "Something went wrong on our side."
  }),
  { httpApiStatus: 500, description: "Unexpected failure" }
) {}

export class Unavailable extends Schema.Error<Unavailable>("Unavailable")(
  body({
    identifier: "UnavailableError",
    code: Schema.Literal("internal_error"),
    message: "Not now: the service is starting or stopping, or its store is away. See Retry-After."
  }),
  { httpApiStatus: 503, description: "Try again later" }
) {}

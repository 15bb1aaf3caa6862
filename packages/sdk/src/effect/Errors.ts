/** The errors of calls, told apart by `_tag`. None of their messages, fields or causes ever contains the key. */
import * as Data from "effect/Data"
import type { ErrorNames } from "../call/ErrorNames.ts"
import type { Failed } from "../call/Failed.ts"
import { rejectionMessage, type WebhookRejectedReason } from "../webhooks/Verify.ts"
import type { Json } from "../wire/Integration.ts"
import type { KnownErrorCode } from "../wire/Integration.generated.ts"

/** How a call without an answer ended. */
export interface Failure {
  readonly message: string
  /** HTTP status of the last answer; null when there was none. */
  readonly status: number | null
  /** Correlation id of the last answer; null when it had none. */
  readonly requestId: string | null
  /** Requests that were sent. */
  readonly attempts: number
  /** How long the service asked to wait before a retry, in milliseconds; null when it did not. */
  readonly retryAfterMs: number | null
  /** For a wait and a `createAndWait`: the execution, which goes on without its caller. Null when there is none yet. */
  readonly executionId: string | null
}

/** A refusal by the service, with its message. */
export interface Refusal extends Failure {
  /** For programs; stable over time. */
  readonly code: string
  /** What the code alone does not say; null when there is nothing more. */
  readonly details: Json
}

/** The service could not be reached, or its answer broke off. */
export class ConnectionError extends Data.TaggedError("ConnectionError")<Failure> {}

/** No answer within the time limit of an attempt or of the whole call. */
export class TimeoutError extends Data.TaggedError("TimeoutError")<Failure> {}

/** Something answered that is not the service. `body` holds the first 1,000 characters. */
export class UnexpectedAnswerError extends Data.TaggedError("UnexpectedAnswerError")<
  Failure & { readonly body: string }
> {}

/** The request breaks a rule, or contradicts the present state. `details` names the field or the reason. */
export class InvalidRequestError extends Data.TaggedError("InvalidRequestError")<Refusal> {}

/** The key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends Data.TaggedError("UnauthorizedError")<Refusal> {}

/** The key is not allowed to do this, or not with this task or agent. */
export class ForbiddenError extends Data.TaggedError("ForbiddenError")<Refusal> {}

/** It does not exist, or belongs to another account. */
export class NotFoundError extends Data.TaggedError("NotFoundError")<Refusal> {}

/** Too many requests, still after every retry. */
export class RateLimitedError extends Data.TaggedError("RateLimitedError")<Refusal> {}

/** `params`, or the answer to a question, violates its JSON Schema; `details` lists `{path, keyword, message}`. */
export class InvalidParamsError extends Data.TaggedError("InvalidParamsError")<Refusal> {}

/** The idempotency key was used with another body. */
export class IdempotencyConflictError extends Data.TaggedError("IdempotencyConflictError")<Refusal> {}

/** Too many unfinished executions of the key or account, still after every retry. */
export class ConcurrencyLimitReachedError extends Data.TaggedError("ConcurrencyLimitReachedError")<Refusal> {}

/** The service failed or is unavailable, still after every retry. Its log has the reason under `requestId`. */
export class InternalError extends Data.TaggedError("InternalError")<Refusal> {}

/** The service refused the call with a code of a later version. */
export class UnknownCodeError extends Data.TaggedError("UnknownCodeError")<Refusal> {}

const errorClasses = {
  invalid_request: InvalidRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  rate_limited: RateLimitedError,
  invalid_params: InvalidParamsError,
  idempotency_conflict: IdempotencyConflictError,
  concurrency_limit_reached: ConcurrencyLimitReachedError,
  internal_error: InternalError
} satisfies {
  readonly [Code in KnownErrorCode]: new (refusal: Refusal) => Refusal & { readonly _tag: ErrorNames[Code] }
}

/** The service refused the call. */
export type ApiError = InstanceType<(typeof errorClasses)[KnownErrorCode]> | UnknownCodeError

/** Everything that a call can fail with. */
export type RunhookError = ApiError | ConnectionError | TimeoutError | UnexpectedAnswerError

const isKnown = (code: string): code is KnownErrorCode => Object.hasOwn(errorClasses, code)

/** The error of an answer without success. */
export const errorOf = (failed: Failed): ApiError | UnexpectedAnswerError => {
  if (!("code" in failed)) return new UnexpectedAnswerError(failed)
  return isKnown(failed.code) ? new errorClasses[failed.code](failed) : new UnknownCodeError(failed)
}

/** A callback that must not be trusted. Answer 401; for `body_already_read`, which is the receiver's own fault, answer 500. */
export class WebhookRejectedError extends Data.TaggedError("WebhookRejectedError")<{
  readonly reason: WebhookRejectedReason
}> {
  override get message() {
    return rejectionMessage(this.reason)
  }
}

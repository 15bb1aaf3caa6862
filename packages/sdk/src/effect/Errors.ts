/** What calls fail with, told apart by `_tag`. No message, field or cause of these errors ever holds the key. */
import * as Data from "effect/Data"
import type { ErrorNames } from "../call/ErrorNames.ts"
import type { Failed } from "../call/Failed.ts"
import { rejectionMessage, type WebhookRejectedReason } from "../webhooks/Verify.ts"
import type { Json } from "../wire/Integration.ts"
import type { KnownErrorCode } from "../wire/Runner.generated.ts"

/** How a call ended that gave no answer. */
export interface Failure {
  readonly message: string
  /** HTTP status of the last answer; null when there was none. */
  readonly status: number | null
  /** Correlation id of the last answer; null when it had none. */
  readonly requestId: string | null
  /** Requests that were made. */
  readonly attempts: number
  /** How long the service asked to be left alone, in milliseconds; null when it did not. */
  readonly retryAfterMs: number | null
  /** Of a wait and of a `createAndWait`: the execution, which goes on without its caller. Null when there is none yet. */
  readonly executionId: string | null
}

/** A refusal of the service, in its own words. */
export interface Refusal extends Failure {
  /** For programs; stays as it is over time. */
  readonly code: string
  /** What the code alone does not tell; null when there is no more to tell. */
  readonly details: Json
}

/** The service could not be reached, or its answer broke off. */
export class ConnectionError extends Data.TaggedError("ConnectionError")<Failure> {}

/** No answer in time: of one attempt, or of the whole call. */
export class TimeoutError extends Data.TaggedError("TimeoutError")<Failure> {}

/** Something answered that is not the service. `body` holds the first 1,000 characters. */
export class UnexpectedAnswerError extends Data.TaggedError("UnexpectedAnswerError")<
  Failure & { readonly body: string }
> {}

/** The request breaks a rule, or contradicts the present state. `details` names the field or the reason. */
export class InvalidRequestError extends Data.TaggedError("InvalidRequestError")<Refusal> {}

/** The key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends Data.TaggedError("UnauthorizedError")<Refusal> {}

/** The key may not do this, or not with this task or agent. */
export class ForbiddenError extends Data.TaggedError("ForbiddenError")<Refusal> {}

/** There is no such thing, or it belongs to another account. */
export class NotFoundError extends Data.TaggedError("NotFoundError")<Refusal> {}

/** Too many requests, still after every retry. */
export class RateLimitedError extends Data.TaggedError("RateLimitedError")<Refusal> {}

/** `params` or an answer break their JSON Schema; `details` lists `{path, keyword, message}`. */
export class InvalidParamsError extends Data.TaggedError("InvalidParamsError")<Refusal> {}

/** The idempotency key was used with another body. */
export class IdempotencyConflictError extends Data.TaggedError("IdempotencyConflictError")<Refusal> {}

/** Too many unfinished executions of the key or account, still after every retry. */
export class ConcurrencyLimitReachedError extends Data.TaggedError("ConcurrencyLimitReachedError")<Refusal> {}

/** The service failed or is away, still after every retry. `requestId` finds the reason in its log. */
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

/** A callback that must not be believed. Answer it 401, or 500 to `body_already_read`, which is the receiver's own fault. */
export class WebhookRejectedError extends Data.TaggedError("WebhookRejectedError")<{
  readonly reason: WebhookRejectedReason
}> {
  override get message() {
    return rejectionMessage(this.reason)
  }
}

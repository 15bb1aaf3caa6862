/** What calls are refused with. No message, field or cause of these errors ever holds the key. */
import type { Json } from "./wire/Integration.ts"

/** How a call ended that gave no answer. */
export interface Failure {
  readonly message: string
  /** HTTP status of the last answer; null when there was none. */
  readonly status?: number | null
  /** Correlation id of the last answer; null when it had none. */
  readonly requestId?: string | null
  /** Requests that were made. */
  readonly attempts: number
  /** How long the service asked to be left alone, in milliseconds; null when it did not. */
  readonly retryAfterMs?: number | null
  /** The execution that was created or waited for; null when there is none yet. */
  readonly executionId?: string | null
}

/** The base of every error of this client. A caller's own abort is none: it rejects with the signal's reason. */
export class RunhookError extends Error {
  override readonly name: string = "RunhookError"
  readonly status: number | null
  readonly requestId: string | null
  readonly attempts: number
  readonly retryAfterMs: number | null
  /** Of a wait and of a `createAndWait`: the execution, which goes on without its caller. Null when there is none yet. */
  readonly executionId: string | null

  constructor({
    attempts,
    executionId = null,
    message,
    requestId = null,
    retryAfterMs = null,
    status = null
  }: Failure) {
    super(message)
    this.executionId = executionId
    this.retryAfterMs = retryAfterMs
    this.status = status
    this.requestId = requestId
    this.attempts = attempts
  }
}

/** The service could not be reached, or its answer broke off. */
export class ConnectionError extends RunhookError {
  override readonly name = "ConnectionError"
}

/** No answer in time: of one attempt, or of the whole call. */
export class TimeoutError extends RunhookError {
  override readonly name = "TimeoutError"
}

/** Something answered that is not the service: a proxy's page, or a body that is no JSON object. */
export class UnexpectedAnswerError extends RunhookError {
  override readonly name = "UnexpectedAnswerError"
  /** The first 1,000 characters of the body. */
  readonly body: string

  constructor(failure: Failure & { readonly body: string }) {
    super(failure)
    this.body = failure.body
  }
}

/** A refusal of the service, in its own words. */
export interface Refusal extends Failure {
  readonly code: string
  readonly details: Json
}

/** The service refused the call. Its subclasses tell why; a code of a later version is a plain `ApiError`. */
export class ApiError extends RunhookError {
  override readonly name: string = "ApiError"
  /** For programs; stays as it is over time. */
  readonly code: string
  /** What the code alone does not tell; null when there is no more to tell. */
  readonly details: Json

  constructor(refusal: Refusal) {
    super(refusal)
    this.code = refusal.code
    this.details = refusal.details
  }
}

/** The request breaks a rule, or contradicts the present state. `details` names the field or the reason. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError"
}

/** The key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override readonly name = "UnauthorizedError"
}

/** The key may not do this, or not with this task or agent. */
export class ForbiddenError extends ApiError {
  override readonly name = "ForbiddenError"
}

/** There is no such thing, or it belongs to another account. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError"
}

/** Too many requests, still after every retry. */
export class RateLimitedError extends ApiError {
  override readonly name = "RateLimitedError"
}

/** `params` or an answer break their JSON Schema; `details` lists `{path, keyword, message}`. */
export class InvalidParamsError extends ApiError {
  override readonly name = "InvalidParamsError"
}

/** The idempotency key was used with another body. */
export class IdempotencyConflictError extends ApiError {
  override readonly name = "IdempotencyConflictError"
}

/** Too many unfinished executions of the key or account, still after every retry. */
export class ConcurrencyLimitReachedError extends ApiError {
  override readonly name = "ConcurrencyLimitReachedError"
}

/** The service failed or is away, still after every retry. `requestId` finds the reason in its log. */
export class InternalError extends ApiError {
  override readonly name = "InternalError"
}

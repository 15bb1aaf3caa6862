/** The errors of calls. None of their messages, fields or causes ever contains the key. */
import type { Json } from "./wire/Integration.ts"

/** How a call without an answer ended. */
export interface Failure {
  readonly message: string
  /** HTTP status of the last answer; null when there was none. */
  readonly status?: number | null
  /** Correlation id of the last answer; null when it had none. */
  readonly requestId?: string | null
  /** Requests that were sent. */
  readonly attempts: number
  /** How long the service asked to wait before a retry, in milliseconds; null when it did not. */
  readonly retryAfterMs?: number | null
  /** The execution that was created or waited for; null when there is none yet. */
  readonly executionId?: string | null
}

/** The base of every error of this client. A caller's own abort is not one: it rejects with the signal's reason. */
export class RunhookError extends Error {
  override readonly name: string = "RunhookError"
  declare readonly status: number | null
  declare readonly requestId: string | null
  declare readonly attempts: number
  declare readonly retryAfterMs: number | null
  /** For a wait and a `createAndWait`: the execution, which goes on without its caller. Null when there is none yet. */
  declare readonly executionId: string | null

  constructor({
    attempts,
    executionId = null,
    message,
    requestId = null,
    retryAfterMs = null,
    status = null
  }: Failure) {
    super(message)
    Object.assign(this, { attempts, executionId, requestId, retryAfterMs, status })
  }
}

/** The service could not be reached, or its answer broke off. */
export class ConnectionError extends RunhookError {
  override readonly name = "ConnectionError"
}

/** No answer within the time limit of an attempt or of the whole call. */
export class TimeoutError extends RunhookError {
  override readonly name = "TimeoutError"
}

/** The answer does not come from the service: a proxy's page, or a body that is not a JSON object. */
export class UnexpectedAnswerError extends RunhookError {
  override readonly name = "UnexpectedAnswerError"
  /** The first 1,000 characters of the body. */
  readonly body: string

  constructor(failure: Failure & { readonly body: string }) {
    super(failure)
    this.body = failure.body
  }
}

/** A refusal by the service, with its message. */
export interface Refusal extends Failure {
  readonly code: string
  readonly details: Json
}

/** The service refused the call. The subclass tells why; a code of a later version is a plain `ApiError`. */
export class ApiError extends RunhookError {
  override readonly name: string = "ApiError"
  /** For programs; stable over time. */
  readonly code: string
  /** What the code alone does not say; null when there is nothing more. */
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

/** The key is not allowed to do this, or not with this task or agent. */
export class ForbiddenError extends ApiError {
  override readonly name = "ForbiddenError"
}

/** It does not exist, or belongs to another account. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError"
}

/** Too many requests, still after every retry. */
export class RateLimitedError extends ApiError {
  override readonly name = "RateLimitedError"
}

/** `params`, or the answer to a question, violates its JSON Schema; `details` lists `{path, keyword, message}`. */
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

/** The service failed or is unavailable, still after every retry. Its log has the reason under `requestId`. */
export class InternalError extends ApiError {
  override readonly name = "InternalError"
}

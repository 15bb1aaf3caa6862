/** The error class of each code. */
import {
  ApiError,
  ConcurrencyLimitReachedError,
  ForbiddenError,
  IdempotencyConflictError,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  type Refusal
} from "../Errors.ts"

const errorClasses: { readonly [code: string]: new (refusal: Refusal) => ApiError } = {
  invalid_request: InvalidRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  rate_limited: RateLimitedError,
  invalid_params: InvalidParamsError,
  idempotency_conflict: IdempotencyConflictError,
  concurrency_limit_reached: ConcurrencyLimitReachedError,
  internal_error: InternalError
}

/** The error of a refusal. */
export const apiError = (refusal: Refusal): ApiError => {
  const ErrorClass = Object.hasOwn(errorClasses, refusal.code) ? errorClasses[refusal.code] : undefined
  return new (ErrorClass ?? ApiError)(refusal)
}

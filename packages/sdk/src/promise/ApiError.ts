/** The error of a refusal. */
import type { ErrorNames } from "../call/ErrorNames.ts"
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
  type Refusal,
  UnauthorizedError
} from "../Errors.ts"
import type { KnownErrorCode } from "../wire/Integration.generated.ts"

const errorClasses: {
  readonly [Code in KnownErrorCode]: new (refusal: Refusal) => ApiError & { readonly name: ErrorNames[Code] }
} = {
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

const isKnown = (code: string): code is KnownErrorCode => Object.hasOwn(errorClasses, code)

/** A code of a later version is a plain `ApiError`. */
export const apiError = (refusal: Refusal): ApiError =>
  new (isKnown(refusal.code) ? errorClasses[refusal.code] : ApiError)(refusal)

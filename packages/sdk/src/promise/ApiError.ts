/** The error of a refusal. */
import { type ErrorName, errorNameOf } from "../call/ErrorNames.ts"
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

const errorClasses: { readonly [Name in ErrorName]: new (refusal: Refusal) => ApiError } = {
  ConcurrencyLimitReachedError,
  ForbiddenError,
  IdempotencyConflictError,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError
}

/** A code of a later version is a plain `ApiError`. */
export const apiError = (refusal: Refusal): ApiError => {
  const name = errorNameOf(refusal.code)
  return new (name === undefined ? ApiError : errorClasses[name])(refusal)
}

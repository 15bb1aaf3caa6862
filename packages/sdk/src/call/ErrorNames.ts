/** The name of the error of each code, the same in both clients. */
import type { KnownErrorCode } from "../wire/Runner.generated.ts"

const errorNames = {
  invalid_request: "InvalidRequestError",
  unauthorized: "UnauthorizedError",
  forbidden: "ForbiddenError",
  not_found: "NotFoundError",
  rate_limited: "RateLimitedError",
  invalid_params: "InvalidParamsError",
  idempotency_conflict: "IdempotencyConflictError",
  concurrency_limit_reached: "ConcurrencyLimitReachedError",
  internal_error: "InternalError"
} as const satisfies { readonly [Code in KnownErrorCode]: `${string}Error` }

export type ErrorName = (typeof errorNames)[KnownErrorCode]

const isKnown = (code: string): code is KnownErrorCode => Object.hasOwn(errorNames, code)

/** Undefined for a code of a later version. */
export const errorNameOf = (code: string): ErrorName | undefined =>
  isKnown(code) ? errorNames[code] : undefined

/** The classes of errors by their codes, as sentences name them. */
import type { ErrorNames } from "../../src/call/ErrorNames.ts"

const names: ErrorNames = {
  invalid_request: "InvalidRequestError",
  unauthorized: "UnauthorizedError",
  forbidden: "ForbiddenError",
  not_found: "NotFoundError",
  rate_limited: "RateLimitedError",
  invalid_params: "InvalidParamsError",
  idempotency_conflict: "IdempotencyConflictError",
  concurrency_limit_reached: "ConcurrencyLimitReachedError",
  internal_error: "InternalError"
}

const isCode = (code: string): code is keyof ErrorNames => code in names

/** The class of a code. */
export const errorName = (code: string): string => {
  if (!isCode(code)) throw new Error(`${code} is no code of an error`)
  return names[code]
}

/** Such as ``an `InvalidParamsError` ``. */
export const errorNames = (code: string): string => {
  const name = errorName(code)
  return `${/^[AIU]/.test(name) ? "an" : "a"} \`${name}\``
}

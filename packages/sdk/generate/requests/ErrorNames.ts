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

/** What each code means to a program. */
export const errorTexts: { readonly [Code in keyof ErrorNames]: string } = {
  invalid_request:
    "The request breaks a rule, or contradicts the present state. `details` names the field or the reason.",
  unauthorized: "The key is missing, unknown, expired or revoked.",
  forbidden: "The key is not allowed to do this, or not with this task or agent.",
  not_found: "It does not exist, or belongs to another account.",
  rate_limited: "Too many requests, still after every retry.",
  invalid_params:
    "`params`, or the answer to a question, violates its JSON Schema; `details` lists path, keyword and message.",
  idempotency_conflict: "The idempotency key was used with another body.",
  concurrency_limit_reached: "Too many unfinished executions of the key or account, still after every retry.",
  internal_error:
    "The service failed or is unavailable, still after every retry. Its log has the reason under `request_id`."
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

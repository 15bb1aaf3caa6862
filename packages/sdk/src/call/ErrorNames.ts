/** The error of each code, the same in both clients; the compiler checks their tables of classes against it. */

export interface ErrorNames {
  readonly invalid_request: "InvalidRequestError"
  readonly unauthorized: "UnauthorizedError"
  readonly forbidden: "ForbiddenError"
  readonly not_found: "NotFoundError"
  readonly rate_limited: "RateLimitedError"
  readonly invalid_params: "InvalidParamsError"
  readonly idempotency_conflict: "IdempotencyConflictError"
  readonly concurrency_limit_reached: "ConcurrencyLimitReachedError"
  readonly internal_error: "InternalError"
}

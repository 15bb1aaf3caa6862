/** Answers requests that do not decode, and documents what every endpoint may answer. */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { AdminCaller, Caller, RunnerCaller } from "./Authorization.ts"
import { InternalError, InvalidRequest, TooManyRequests, Unavailable, Unprocessable } from "./Errors.ts"

/** The status that a body answers which is JSON and breaks a field's rule: 400, and 422 where an endpoint says so. */
export const BodyRuleStatus = Context.Reference<400 | 422>("@runhook/contract/BodyRuleStatus", {
  defaultValue: () => 400
})

/** Media types beside JSON that an endpoint answers in when a caller prefers one of them. Errors are JSON all the same. */
export const OtherForms = Context.Reference<ReadonlyArray<string>>("@runhook/contract/OtherForms", {
  defaultValue: () => []
})

/** Fields of a body that are lists, each of whose items is refused by itself for what is wrong with its text. */
export const JudgedByItem = Context.Reference<ReadonlyArray<string>>("@runhook/contract/JudgedByItem", {
  defaultValue: () => []
})

export class RequestRules extends HttpApiMiddleware.Service<RequestRules>()(
  "@runhook/contract/RequestRules",
  {
    error: [InvalidRequest, Unprocessable, InternalError, Unavailable]
  }
) {}

/**
 * Refuses what the schemas of an endpoint do not see, as they are given values
 * and not their spelling: parameters that nobody reads, text that is no UTF-8,
 * numbers that reading would change. Listed first, so that it looks last: only
 * at requests of callers that are known.
 */
export class RequestText extends HttpApiMiddleware.Service<RequestText>()("@runhook/contract/RequestText", {
  error: [InvalidRequest, Unprocessable]
}) {}

// Each counts the requests of a key, and refuses those over its rate. Listed before the authorization, which runs first.

export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting, { requires: Caller }>()(
  "@runhook/contract/RateLimiting",
  { error: TooManyRequests }
) {}

export class RunnerRateLimiting extends HttpApiMiddleware.Service<
  RunnerRateLimiting,
  { requires: RunnerCaller }
>()("@runhook/contract/RunnerRateLimiting", { error: TooManyRequests }) {}

export class AdminRateLimiting extends HttpApiMiddleware.Service<
  AdminRateLimiting,
  { requires: AdminCaller }
>()("@runhook/contract/AdminRateLimiting", { error: TooManyRequests }) {}

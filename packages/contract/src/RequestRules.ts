/** The rules that every request meets, and the answers that every endpoint may give. */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { InternalError, InvalidRequest, TooManyRequests, Unavailable, Unprocessable } from "./Errors.ts"

/** The status of a JSON body that breaks a field's rule: 400, or 422 where an endpoint says so. */
export const BodyRuleStatus = Context.Reference<400 | 422>("@runhook/contract/BodyRuleStatus", {
  defaultValue: () => 400
})

/**
 * Media types besides JSON in which an endpoint answers callers that prefer them.
 * Errors are JSON all the same.
 */
export const OtherForms = Context.Reference<ReadonlyArray<string>>("@runhook/contract/OtherForms", {
  defaultValue: () => []
})

/** List fields of a body whose items are refused one by one for what is wrong with their text. */
export const JudgedByItem = Context.Reference<ReadonlyArray<string>>("@runhook/contract/JudgedByItem", {
  defaultValue: () => []
})

/** Whether the items of a body have an idempotency key each, so that the request itself has none. */
export const KeyedByItem = Context.Reference<boolean>("@runhook/contract/KeyedByItem", {
  defaultValue: () => false
})

/** Refuses requests that break the contract, and answers for failures of the service. */
export class RequestRules extends HttpApiMiddleware.Service<RequestRules>()(
  "@runhook/contract/RequestRules",
  {
    error: [InvalidRequest, Unprocessable, InternalError, Unavailable]
  }
) {}

/** Counts the requests of a caller, and refuses those over its rate. */
export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting>()(
  "@runhook/contract/RateLimiting",
  { error: TooManyRequests }
) {}

/** How requests are read: every broken rule is reported, and no unknown field is ignored. */
export const requestParsing = { errors: "all", onExcessProperty: "error" } as const

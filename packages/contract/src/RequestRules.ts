/** Answers requests that do not decode, and documents what every endpoint may answer. */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
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

/** Refuses requests that break the contract, and says so when the service fails. */
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

/** How requests are read: every broken rule is told, and no unknown field is passed over. */
export const requestParsing = { errors: "all", onExcessProperty: "error" } as const

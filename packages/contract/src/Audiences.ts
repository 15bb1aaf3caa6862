/**
 * Who calls a group of endpoints: below which path they find it, how they are known, and which rules they meet. With
 * these come the errors that all of its endpoints may answer; an endpoint names what it has beside them.
 */
import { AccountId } from "@runhook/core/shared/Ids"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { AdminAuthorization, ApiKeyAuthorization } from "./Authorization.ts"
import { RateLimiting, RequestRules } from "./RequestRules.ts"

type Group<Id extends string, Endpoints extends HttpApiEndpoint.Constraint> = HttpApiGroup.HttpApiGroup<
  Id,
  Endpoints
>

/** Callers with an integration key. */
export const forKeys = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: Group<Id, Endpoints>
) =>
  group
    .middleware(RequestRules)
    .middleware(RateLimiting)
    .middleware(ApiKeyAuthorization)
    .prefix("/api/v1/integrations")

/** Operators, and signed-in people for what is their own. */
export const forOperators = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: Group<Id, Endpoints>
) =>
  group
    .middleware(RequestRules)
    .middleware(RateLimiting)
    .middleware(AdminAuthorization)
    .prefix("/api/v1/admin")

/** Operators and members of the account that the path names. */
export const inAccount = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: Group<Id, Endpoints>
) => forOperators(group.prefix("/accounts/:account_id"))

/** What the path of an endpoint in an account names first. */
export const account = { account_id: AccountId }

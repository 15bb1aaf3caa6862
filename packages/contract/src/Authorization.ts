/** Who calls: one kind of key for each API. */
import type { Membership } from "@runhook/core/people/Membership"
import type { PersonSessionId, PersonId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { Forbidden, NotFound, TooManyRequests, Unauthorized } from "./Errors.ts"

/**
 * In lower case, as the registry of schemes has it: viewers that compare letter by
 * letter take `Bearer` for something else.
 */
const bearer = (options: { readonly description: string; readonly format: string }) =>
  HttpApiSecurity.http({ scheme: "bearer" }).pipe(
    HttpApiSecurity.annotate(OpenApi.Description, options.description),
    HttpApiSecurity.annotate(OpenApi.Format, options.format)
  )

/** No valid key, or too many invalid ones from one address. */
const refusals = [Unauthorized, TooManyRequests] as const

/** The integration key that calls. */
export class Caller extends Context.Service<Caller, ApiKeyRecord>()("@runhook/contract/Caller") {}

export class ApiKeyAuthorization extends HttpApiMiddleware.Service<
  ApiKeyAuthorization,
  { provides: Caller }
>()("@runhook/contract/ApiKeyAuthorization", {
  requiredForClient: true,
  error: refusals,
  security: { apiKey: bearer({ description: "Integration key", format: "rhlive_<prefix>_<secret>" }) }
}) {}

/** The runner key that calls. */
export class RunnerCaller extends Context.Service<RunnerCaller, RunnerKeyRecord>()(
  "@runhook/contract/RunnerCaller"
) {}

export class RunnerAuthorization extends HttpApiMiddleware.Service<
  RunnerAuthorization,
  { provides: RunnerCaller }
>()("@runhook/contract/RunnerAuthorization", {
  requiredForClient: true,
  error: refusals,
  security: { runnerKey: bearer({ description: "Runner key", format: "rhrun_<prefix>_<secret>" }) }
}) {}

/** An admin key, by its index among the operator's keys. */
export interface Operator {
  readonly _tag: "Operator"
  readonly place: number
}

/** A person who is signed in to the Integrations page, in one browser. */
export interface Member {
  readonly _tag: "Member"
  /** Their session in the account that they call for; the newest, where they call for none. */
  readonly sessionId: PersonSessionId
  /** The person, whatever their name is. */
  readonly person: PersonId
  /** Their name in the audit log. */
  readonly name: string
  readonly memberships: ReadonlyArray<Membership>
}

/** Who calls the admin API. A member has the access that the endpoint requires. */
export class AdminCaller extends Context.Service<AdminCaller, Operator | Member>()(
  "@runhook/contract/AdminCaller"
) {}

export class AdminAuthorization extends HttpApiMiddleware.Service<
  AdminAuthorization,
  { provides: AdminCaller }
>()("@runhook/contract/AdminAuthorization", {
  requiredForClient: true,
  error: [...refusals, Forbidden, NotFound],
  security: {
    adminKey: bearer({ description: "Admin key", format: "the operator's choice" }),
    session: HttpApiSecurity.apiKey({ in: "cookie", key: "__Host-runhook" }).pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "The session of a person on the Integrations page; `__Secure-runhook` where its base URL has a path, `runhook` where it is reached without TLS. What changes something also needs the `Origin` of the service and `X-Runhook-Console: 1`."
      )
    )
  }
}) {}

/** Who calls: one kind of key for each API. */
import type { ApiKeyRecord } from "@runhook/core/domain/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/domain/RunnerKeyRecord"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { TooManyRequests, Unauthorized } from "./Errors.ts"

/** In lower case, as the registry of schemes has it: viewers that compare letter by letter take `Bearer` for something else. */
const bearer = (options: { readonly description: string; readonly format: string }) =>
  HttpApiSecurity.http({ scheme: "bearer" }).pipe(
    HttpApiSecurity.annotate(OpenApi.Description, options.description),
    HttpApiSecurity.annotate(OpenApi.Format, options.format)
  )

/** No valid key; or so many of them from one address that it has to wait. */
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

/** The admin key that calls: its place among the keys that the operator has set. */
export class AdminCaller extends Context.Service<AdminCaller, { readonly place: number }>()(
  "@runhook/contract/AdminCaller"
) {}

export class AdminAuthorization extends HttpApiMiddleware.Service<
  AdminAuthorization,
  { provides: AdminCaller }
>()("@runhook/contract/AdminAuthorization", {
  requiredForClient: true,
  error: refusals,
  security: { adminKey: bearer({ description: "Admin key", format: "the operator's choice" }) }
}) {}

/** Who calls an API. A host may provide its own authenticator in place of one of these. */
import type { AdminCaller, Caller, Member, Operator, RunnerCaller } from "@runhook/contract/Authorization"
import type { Forbidden, NotFound, TooManyRequests, Unauthorized } from "@runhook/contract/Errors"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Call } from "../pipeline/Call.ts"
import type { Authenticated } from "./Authenticated.ts"

/** Why a caller is refused. */
export type Refused = Forbidden | NotFound | TooManyRequests | Unauthorized

export interface Authenticator<Key, Who> {
  /** The service that gives handlers the caller. */
  readonly provides: Context.Key<Key, Who>
  /** Which rate applies to its callers. */
  readonly kind: "admin" | "integration" | "runner"
  readonly authenticate: (call: Call) => Effect.Effect<Authenticated<Who>, Refused>
}

/** Who calls the integration API: a key, unless the host says otherwise. */
export class ApiKeyAuthenticator extends Context.Service<
  ApiKeyAuthenticator,
  Authenticator<Caller, ApiKeyRecord>
>()("@runhook/http/ApiKeyAuthenticator") {}

/** Who calls the runner API. */
export class RunnerAuthenticator extends Context.Service<
  RunnerAuthenticator,
  Authenticator<RunnerCaller, RunnerKeyRecord>
>()("@runhook/http/RunnerAuthenticator") {}

/** Who calls the admin API. */
export class AdminAuthenticator extends Context.Service<
  AdminAuthenticator,
  Authenticator<AdminCaller, Operator | Member>
>()("@runhook/http/AdminAuthenticator") {}

/** Who calls an API. A host may provide its own authenticator in place of one of these. */
import type { AdminCaller, Caller, Member, Operator, RunnerCaller } from "@runhook/contract/Authorization"
import type { Forbidden, NotFound, TooManyRequests, Unauthorized } from "@runhook/contract/Errors"
import type { Identity } from "@runhook/core/domain/account/Actor"
import type { ConsoleSession } from "@runhook/core/domain/console/ConsoleSession"
import type { AccountId } from "@runhook/core/domain/Ids"
import type { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import type { RateLimit } from "@runhook/core/domain/keys/RateLimit"
import type { RunnerKeyRecord } from "@runhook/core/domain/keys/RunnerKeyRecord"
import type { WaitingKey } from "@runhook/core/runtime/LongPoll"
import type * as Core from "@runhook/core/usecases/Authentication"
import type { SignedOut } from "@runhook/core/usecases/ConsoleSessions"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Owner } from "../limits/LargeAnswers.ts"
import type { Call } from "../pipeline/Call.ts"

/** The caller that was found. */
export interface Authenticated<Who> {
  readonly caller: Who
  /** Who owns the answer. */
  readonly owner: Owner
  /** The caller in the audit log; null if nothing that is logged can be done. */
  readonly actor: Identity | null
  readonly metered: Metered
  /** Whether the caller may still call, for long waits; null: always. */
  readonly stillOpen: WaitingKey<SignedOut | Core.Unauthorized> | null
  /** The sessions of a browser; none of a caller with a key. */
  readonly sessions: ReadonlyArray<ConsoleSession>
}

/** How the requests of a caller are counted. */
export interface Metered {
  readonly key: string
  /** The account that is counted besides, and whose large bodies take turns; null: an operator has none. */
  readonly account: AccountId | null
  /** Null: the default of the API. */
  readonly rateLimit: RateLimit | null
  /** The rate of the account; null: what follows from the default of the API. */
  readonly accountRate: RateLimit | "off" | null
}

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

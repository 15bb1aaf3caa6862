/** Who calls an API. A host may put an authenticator of its own in the place of one of these. */
import type { AdminCaller, Caller, Member, Operator, RunnerCaller } from "@runhook/contract/Authorization"
import type { Forbidden, NotFound, TooManyRequests, Unauthorized } from "@runhook/contract/Errors"
import type * as Core from "@runhook/core/usecases/Authentication"
import type { SignedOut } from "@runhook/core/usecases/ConsoleSessions"
import type { Actor } from "@runhook/core/domain/account/Actor"
import type { ApiKeyRecord, RateLimit } from "@runhook/core/domain/keys/ApiKeyRecord"
import type { ConsoleSession } from "@runhook/core/domain/console/ConsoleSession"
import type { AccountId, ConsoleSessionId } from "@runhook/core/domain/Ids"
import type { RunnerKeyRecord } from "@runhook/core/domain/keys/RunnerKeyRecord"
import type { WaitingKey } from "@runhook/core/runtime/LongPoll"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Owner } from "../limits/LargeAnswers.ts"
import type { Call } from "../pipeline/Call.ts"

/** Whoever was found to call. */
export interface Authenticated<Who> {
  readonly caller: Who
  /** Whose the answer is. */
  readonly owner: Owner
  /** As the audit log names them; null where nothing that is logged can be done. */
  readonly actor: Pick<Actor, "id" | "kind" | "name"> | null
  readonly metered: Metered
  /** Whether they may still call, for those who wait long; null: for as long as they wait. */
  readonly stillOpen: WaitingKey<SignedOut | Core.Unauthorized> | null
  /** That of a browser; null for whoever has a key. */
  readonly session: ConsoleSession | null
}

/** What the requests of a caller are counted by. */
export interface Metered {
  readonly key: string
  /** Whose large bodies come in line; null: an operator's do not. */
  readonly bodiesOf: AccountId | ConsoleSessionId | null
  /** Null where the caller has none of its own: that of the API counts then. */
  readonly rateLimit: RateLimit | null
}

/** What keeps somebody from calling. */
export type Refused = Forbidden | NotFound | TooManyRequests | Unauthorized

export interface Authenticator<Key, Who> {
  /** What handlers know the caller by. */
  readonly provides: Context.Key<Key, Who>
  /** Which of the rates is that of its callers. */
  readonly kind: "admin" | "integration" | "runner"
  readonly authenticate: (call: Call) => Effect.Effect<Authenticated<Who>, Refused>
}

/** Whoever calls the integration API: by a key, unless the host says otherwise. */
export class ApiKeyAuthenticator extends Context.Service<
  ApiKeyAuthenticator,
  Authenticator<Caller, ApiKeyRecord>
>()("@runhook/http/ApiKeyAuthenticator") {}

/** Whoever calls the runner API. */
export class RunnerAuthenticator extends Context.Service<
  RunnerAuthenticator,
  Authenticator<RunnerCaller, RunnerKeyRecord>
>()("@runhook/http/RunnerAuthenticator") {}

/** Whoever calls the admin API. */
export class AdminAuthenticator extends Context.Service<
  AdminAuthenticator,
  Authenticator<AdminCaller, Operator | Member>
>()("@runhook/http/AdminAuthenticator") {}

/** What is known of a caller once it is authenticated. */
import type { Identity } from "@runhook/core/audit/Actor"
import type { PersonSession } from "@runhook/core/people/PersonSession"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { RateLimit } from "@runhook/core/keys/RateLimit"
import type { WaitingKey } from "@runhook/core/engine/LongPoll"
import type * as Core from "@runhook/core/keys/Authentication"
import type { SignedOut } from "@runhook/core/people/PersonSessions"
import type * as Effect from "effect/Effect"
import type { Owner } from "../limits/ResponseBudget.ts"

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
  /** What else must succeed once the request is counted and read. */
  readonly requires?: Effect.Effect<unknown, unknown>
  /** The sessions of a browser; none of a caller with a key. */
  readonly sessions: ReadonlyArray<PersonSession>
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

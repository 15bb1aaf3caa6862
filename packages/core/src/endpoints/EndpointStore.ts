/** Keeps standing endpoints, and gives out the messages of those that are polled. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audit } from "../audit/AuditEntry.ts"
import type { Delivery, DeliverySummary } from "../deliveries/Delivery.ts"
import type { EndpointEvent } from "./EndpointEvent.ts"
import type { EndpointChange, WebhookEndpoint } from "./WebhookEndpoint.ts"
import { type AccountId, EndpointId, type EventId } from "../shared/Ids.ts"
import type { Owner } from "../keys/Owner.ts"
import type { SweepRound } from "../sweeps/SweepStore.ts"

/** No such endpoint in the account, or none that the key has made. */
export class EndpointNotFound extends Schema.TaggedError<EndpointNotFound>()("EndpointNotFound", {
  id: EndpointId
}) {
  override get message() {
    return `There is no endpoint ${this.id}`
  }
}

/** The account has as many endpoints as it may. */
export class EndpointLimitReached extends Schema.TaggedError<EndpointLimitReached>()("EndpointLimitReached", {
  limit: Schema.Int
}) {
  override get message() {
    return `There may be ${this.limit} webhook endpoints in an account: remove one first`
  }
}

export interface EndpointRef extends Owner {
  readonly id: EndpointId
}

/** A poll endpoint as its messages are found. */
export type Mailbox = Pick<
  WebhookEndpoint,
  "accountId" | "createdAt" | "fetchedAt" | "id" | "removeAfterSeconds" | "url"
>

export interface Fetched {
  /** Leased for `messageLease`, each after those before it. */
  readonly messages: ReadonlyArray<Delivery>
  /** When to look again; null if nothing waits. */
  readonly nextDueAt: DateTime.Utc | null
}

/** An event that was stored, and whether a dispatcher of this process sends it already. */
export interface FannedOutEvent extends EndpointEvent {
  readonly isHandedOver: boolean
}

export interface FannedOut {
  readonly events: ReadonlyArray<FannedOutEvent>
  /** Whether changes may be left of which endpoints are not told yet. */
  readonly hasMore: boolean
}

export class EndpointStore extends Context.Service<
  EndpointStore,
  {
    /**
     * Stores an endpoint, unless its account has `limit`. Every change of an execution
     * that is asked for after the answer is told to it, in whatever process: a change that
     * announces something is noted in its own transaction if its account has an endpoint
     * that is enabled, for `fanOut`. What was answered before is never told to it; nor is
     * what was answered before it was enabled again.
     */
    create(
      endpoint: WebhookEndpoint,
      options: { readonly limit: number; readonly audit?: Audit<[created: WebhookEndpoint]> | undefined }
    ): Effect.Effect<void, EndpointLimitReached>

    get(ref: EndpointRef): Effect.Effect<WebhookEndpoint, EndpointNotFound>

    /** Oldest first. */
    list(owner: Owner): Effect.Effect<ReadonlyArray<WebhookEndpoint>>

    update(
      ref: EndpointRef,
      options: {
        readonly change: EndpointChange
        readonly at: DateTime.Utc
        readonly audit?: Audit<[before: WebhookEndpoint, after: WebhookEndpoint]> | undefined
      }
    ): Effect.Effect<WebhookEndpoint, EndpointNotFound>

    /** Replaces the signing secret (`withSecret`). */
    rotate(
      ref: EndpointRef,
      options: {
        readonly ciphertext: string
        readonly previousExpiresAt: DateTime.Utc
        readonly at: DateTime.Utc
        readonly audit?: Audit<[endpoint: WebhookEndpoint]> | undefined
      }
    ): Effect.Effect<WebhookEndpoint, EndpointNotFound>

    /**
     * Removes an endpoint: it is told nothing more, and is no longer found. What waits
     * for it becomes `cancelled`, by `prune` or when its turn comes to be sent.
     */
    remove(
      ref: EndpointRef,
      options: {
        readonly at: DateTime.Utc
        readonly audit?: Audit<[endpoint: WebhookEndpoint]> | undefined
      }
    ): Effect.Effect<void, EndpointNotFound>

    /**
     * Tells endpoints of changes that are noted, at most `limit` of them, those of the oldest
     * executions first, and forgets these notes in the same transaction: stores a delivery for
     * each endpoint that is told of a change (`isToldOf`) as endpoints and keys are now, if it
     * was enabled when the change was stored. Of one execution in the order of its changes, and
     * of each change once, however many callers do so at once. What an inlet has a place for
     * is handed over, as events of a change are (`DeliveryInlets.open`).
     *
     * Passes by an execution with something that cannot be stored, and tries it again a minute later.
     * Leaves alone what another caller is at, and says that there is more. Of one account,
     * waits for it: then nothing is left that was noted before, unless there was more than
     * `limit`.
     */
    fanOut(options: {
      readonly limit: number
      readonly at: DateTime.Utc
      readonly accountId?: AccountId
    }): Effect.Effect<FannedOut>

    /**
     * Gives out due messages in the order of their due times; those of one execution in
     * the order of its changes, and none while one before it has been given out earlier
     * and is not settled. Each is leased; two callers never get the same. Messages that
     * have expired, or were given out too often, are dead. Notes that somebody was here.
     */
    fetch(
      mailbox: Mailbox,
      options: { readonly limit: number; readonly bytesMax: number; readonly at: DateTime.Utc }
    ): Effect.Effect<Fetched>

    /** Of these messages of the endpoint, those that were given out and are not settled. */
    given(mailbox: Mailbox, ids: ReadonlyArray<EventId>): Effect.Effect<ReadonlyArray<DeliverySummary>>

    /** Those of the mailboxes in which something is due, those that are gone, and those that cannot be read: a fetch says why. */
    changed(mailboxes: ReadonlyArray<Mailbox>, at: DateTime.Utc): Effect.Effect<ReadonlyArray<EndpointId>>

    /**
     * Removes forsaken endpoints (`isForsaken`), cancels what waits for removed ones and
     * in removed accounts, and buries expired messages that nobody fetches: so many at
     * most. Answers whether there
     * may be more.
     */
    prune(round: SweepRound): Effect.Effect<boolean>
  }
>()("@runhook/core/endpoints/EndpointStore") {}

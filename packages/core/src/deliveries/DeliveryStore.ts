/** Keeps webhook deliveries. An execution's deliveries are stored by the change that caused them. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ClaimRoom } from "./claim/ClaimRoom.ts"
import type { Audit } from "../audit/AuditEntry.ts"
import type { AnswerClass, DeliveryCause } from "./steps/AttemptCause.ts"
import type { DeadLetters } from "./DeadLetters.ts"
import { type Delivery, type DeliveryAttempt, DeliveryState, type DeliverySummary } from "./Delivery.ts"
import type { Verdict } from "./steps/DeliveryMoves.ts"
import type { DeliveryOrder } from "./claim/DeliveryOrder.ts"
import type { Wait } from "./claim/DeliveryWait.ts"
import type { ReceiverMove } from "./claim/Receiver.ts"
import { NotTried, notTriedWords } from "./steps/TryNow.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"
import {
  type AccountId,
  type ApiKeyId,
  type DispatcherId,
  type EndpointId,
  EventId,
  type ExecutionId,
  type InAccount
} from "../shared/Ids.ts"
import type { Page, PageRequest } from "../shared/Page.ts"

/** No such delivery in the account. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  id: EventId
}) {
  override get message() {
    return `There is no delivery ${this.id}`
  }
}

/** Only a settled delivery can be sent again. */
export class DeliveryNotSettled extends Schema.TaggedError<DeliveryNotSettled>()("DeliveryNotSettled", {
  id: EventId,
  state: DeliveryState
}) {
  override get message() {
    return `Delivery ${this.id} is ${this.state}: it is still being delivered`
  }
}

/** Only a waiting delivery can be tried now, and only if no earlier event goes first. */
export class DeliveryNotWaiting extends Schema.TaggedError<DeliveryNotWaiting>()("DeliveryNotWaiting", {
  id: EventId,
  state: DeliveryState,
  reason: NotTried
}) {
  override get message() {
    return `Delivery ${this.id} ${notTriedWords[this.reason]}`
  }
}

/** Which deliveries a list wants; null means any. */
export interface DeliveryFilter {
  readonly states: ReadonlyArray<DeliveryState> | null
  readonly type: WebhookEventType | null
  readonly apiKeyId: ApiKeyId | null
  readonly endpointId: EndpointId | null
  readonly executionId: ExecutionId | null
  /** The answer to the latest attempt; `none` when that failed without one. What was never tried matches neither. */
  readonly answer: AnswerClass | null
  /** Why the latest attempt failed. */
  readonly cause: DeliveryCause | null
  readonly origin: string | null
  /** A part of the event type or URL, in any case, or the whole id of the delivery or its execution. */
  readonly text: string | null
  /** The beginning of its id, or of the id or reference of its execution, as with executions. */
  readonly find?: string | null
  /** Whether `text` is not looked for in the query of the URL, which is hidden from the caller. */
  readonly hidesQueries?: boolean
  /** Created at or after. */
  readonly from: DateTime.Utc | null
  /** Created at or before. */
  readonly to: DateTime.Utc | null
}

/**
 * The order in which a store gives out the events of one execution. All processes
 * of a service should have the same.
 */
export const CallbackOrder = Context.Reference<DeliveryOrder>("@runhook/core/deliveries/CallbackOrder", {
  defaultValue: () => "bounded"
})

/** The result of one attempt. */
export interface Settlement {
  readonly accountId: AccountId
  /** Names the delivery, the round and the number, so that a worker whose lease ran out settles nothing. */
  readonly attempt: DeliveryAttempt
  /** As it was given out. The store need not keep what follows from it, nor read it again. */
  readonly sent?: Delivery | undefined
  readonly verdict: Verdict
  /** Whether the receiver was not even looked for, so that the attempt does not count. */
  readonly isUnmade?: boolean | undefined
  /** What the attempt changes about the receiver, if anything. */
  readonly move?: ReceiverMove | undefined
}

/** A delivery that was given out, to be sent. */
export interface ClaimedDelivery {
  readonly delivery: Delivery
  /** How many times the breaker of its receiver has opened, when it is sent to probe the receiver; otherwise null. */
  readonly probeOf: number | null
  /** The latest earlier event of its execution that its dispatcher holds too, and whose settlement it waits for. */
  readonly behind: EventId | null
}

/** Claims that a dispatcher gives back. */
export type Unsent =
  | { readonly _tag: "These"; readonly ids: Iterable<EventId> }
  | { readonly _tag: "AllBut"; readonly ids: Iterable<EventId> }

export interface Claimed {
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
  /** Since when the oldest claimable delivery has been due, these included; null when there was none. */
  readonly oldestDueAt: DateTime.Utc | null
  /** When to look again: not after `at` if more is due already, null if nothing is. */
  readonly nextDueAt: DateTime.Utc | null
}

/** Dispatchers that have ended: one, or all except the only one of the store. */
export type Ended =
  | { readonly _tag: "One"; readonly dispatcher: DispatcherId }
  | { readonly _tag: "AllBut"; readonly dispatcher: DispatcherId }

/** What a person does to one delivery. */
export interface MoveOfOne extends InAccount<EventId> {
  readonly at: DateTime.Utc
  readonly audit?: Audit<[before: DeliverySummary, after: DeliverySummary]> | undefined
}

export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Stores a new delivery that no change of an execution caused (`passesBreaker`). Answers what it waits for. */
    enqueue(delivery: Delivery, audit?: Audit<[queued: Delivery]>): Effect.Effect<Wait>

    /**
     * Claims due deliveries while there is room for them, oldest first per receiver and
     * overall. Counts an attempt on each and leases it: a delivery whose lease runs out
     * unsettled is due again. Two claimers never hold the same one. A delivery that is
     * due after its `expiresAt` becomes dead.
     *
     * - A held receiver is left out. If its breaker has been open for long enough, one
     *   delivery is claimed as the probe, and the receiver is held for the length of
     *   the lease. The backlog from before the breaker closed is released in slices
     *   (`Receiver`).
     * - A delivery to be tried now (`tryNow`, `passesBreaker`) goes before all others of its receiver,
     *   even if that is held or recovering. While the breaker is open it is one more
     *   probe, for which nothing is held.
     * - An event of which no attempt has a result is put off without another while an
     *   event of an earlier revision of its execution goes first (`DeliveryOrder`). If the
     *   dispatcher holds all such events itself, or claims them along, it is given out
     *   behind them. Events of one execution are answered by their revisions.
     * - Deliveries that become dead or are put off may take the room of others in this
     *   answer, so an answer may be empty while more is due.
     * - `nextDueAt` covers the leases just given and the ends of holds. It leaves out
     *   what waits for room in its account, its receiver or among the retries: when one
     *   of these ends, its holder looks again.
     * - A claimed delivery carries the name of its dispatcher until it is settled or
     *   claimed again. Without one it comes back only when its lease ends.
     */
    claimDue(options: {
      readonly dispatcher?: DispatcherId
      readonly room: ClaimRoom
      readonly lease: Duration.Duration
      readonly at: DateTime.Utc
    }): Effect.Effect<Claimed>

    /**
     * Records attempts with their verdicts and the moves of receivers, each attempt
     * once. An attempt that is not the latest of a pending delivery changes nothing and
     * is not recorded. One that was not made does not count, and is not recorded either. If an event, settled or not, no longer holds back the next one
     * of its execution, that one falls due at once (`DeliveryOrder`). Answers how many
     * that were put off are due now.
     */
    settle(settlements: ReadonlyArray<Settlement>, at: DateTime.Utc): Effect.Effect<number>

    /**
     * Gives back deliveries that a dispatcher has claimed and not sent: due at once, as
     * they were before, without the attempt. `AllBut` is for claims it does not know of.
     * What has outlived its lease is due anyway and stays as it is. Only the dispatcher
     * itself may call this, and with `AllBut` not during a claim. Answers how many.
     */
    giveBack(options: {
      readonly dispatcher: DispatcherId
      readonly which: Unsent
      readonly at: DateTime.Utc
    }): Effect.Effect<number>

    /**
     * Takes back what ended dispatchers had claimed. It is due at once; its attempts
     * stay counted, since they may have been made. If a delivery turns out to be
     * settled before it is claimed again, it is settled. The dispatchers are removed.
     * Answers how many deliveries.
     */
    takeBack(options: { readonly from: Ended; readonly at: DateTime.Utc }): Effect.Effect<number>

    /**
     * A heartbeat of a dispatcher. Answers how many heartbeats each of the others has
     * sent: a dispatcher whose number no longer rises may have ended.
     */
    beat(dispatcher: DispatcherId): Effect.Effect<ReadonlyMap<DispatcherId, number>>

    /** A delivery with its latest `attemptsShownMax` attempts, oldest first. */
    get(
      accountId: AccountId,
      id: EventId
    ): Effect.Effect<
      { readonly delivery: Delivery; readonly attempts: ReadonlyArray<DeliveryAttempt> },
      DeliveryNotFound
    >

    /** Newest first. Bodies are not read. */
    list(
      accountId: AccountId,
      filter: DeliveryFilter,
      page: PageRequest
    ): Effect.Effect<Page<DeliverySummary>>

    /**
     * The account's dead deliveries by receiver and cause, ordered by origin and cause:
     * at most `deadLetterGroupsMax` groups, and in each at most `deadLettersCounted`
     * counted, the latest made.
     */
    deadLetters(accountId: AccountId): Effect.Effect<DeadLetters>

    /** What the account's pending ones among these deliveries wait for. */
    waits(options: {
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<EventId>
      readonly at: DateTime.Utc
    }): Effect.Effect<ReadonlyMap<EventId, Wait>>

    /**
     * Makes a waiting delivery due at once, past its back-off and whatever holds its
     * receiver, until an attempt of it is settled. That is its next attempt, and takes
     * up room. A delivery that is about to be claimed anyway gets only one attempt.
     * Refused while it is being sent, and while an earlier event of its execution goes
     * first.
     */
    tryNow(of: MoveOfOne): Effect.Effect<Delivery, DeliveryNotFound | DeliveryNotWaiting>

    /** Starts a new round of attempts for a settled delivery, due at once: same id, same body, a new lifetime. */
    replay(of: MoveOfOne): Effect.Effect<Delivery, DeliveryNotFound | DeliveryNotSettled>
  }
>()("@runhook/core/deliveries/DeliveryStore") {}

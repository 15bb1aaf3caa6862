/** Keeps webhook deliveries. Those of executions are stored by the change that caused them. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { AnswerClass, DeliveryCause } from "../domain/delivery/AttemptCause.ts"
import type { DeadLetters } from "../domain/delivery/DeadLetters.ts"
import type { Verdict } from "../domain/delivery/DeliveryMoves.ts"
import {
  type Delivery,
  type DeliveryAttempt,
  DeliveryState,
  type DeliverySummary
} from "../domain/delivery/Delivery.ts"
import type { DeliveryOrder } from "../domain/delivery/DeliveryOrder.ts"
import { type AccountId, type ApiKeyId, type DispatcherId, EventId, type ExecutionId } from "../domain/Ids.ts"
import type { Page, PageRequest } from "../domain/Page.ts"
import type { Receiver, ReceiverMove } from "../domain/delivery/Receiver.ts"
import { NotTried } from "../domain/delivery/TryNow.ts"
import type { Wait } from "../domain/delivery/DeliveryWait.ts"
import type { WebhookEventType } from "../domain/delivery/WebhookEventType.ts"
import type { DeliveryInlet } from "./DeliveryInlet.ts"

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

/** Only a delivery that waits, and whose turn it is, can be tried now. */
export class DeliveryNotWaiting extends Schema.TaggedError<DeliveryNotWaiting>()("DeliveryNotWaiting", {
  id: EventId,
  state: DeliveryState,
  reason: NotTried
}) {
  override get message() {
    return `Delivery ${this.id} ${whyNot[this.reason]}`
  }
}

const whyNot: { readonly [Reason in NotTried]: string } = {
  settled: "is settled: a replay sends it again",
  sending: "is being sent at this moment",
  earlier_event: "waits for an earlier event of its execution, which goes first"
}

/** Which deliveries a list wants; null means any. */
export interface DeliveryFilter {
  readonly states: ReadonlyArray<DeliveryState> | null
  readonly type: WebhookEventType | null
  readonly apiKeyId: ApiKeyId | null
  readonly executionId: ExecutionId | null
  /** What the latest attempt was answered; `none` when it failed without an answer. What was never tried has none of them. */
  readonly answer: AnswerClass | null
  /** Why the latest attempt failed. */
  readonly cause: DeliveryCause | null
  /** The origin of the URL. */
  readonly origin: string | null
  /** A part of the event type or URL, in any case, or the whole id of the delivery or its execution. */
  readonly text: string | null
  /** Created at or after. */
  readonly from: DateTime.Utc | null
  /** Created at or before. */
  readonly to: DateTime.Utc | null
}

/** In which order a store gives out the events of one execution. All processes of a service should have the same. */
export const CallbackOrder = Context.Reference<DeliveryOrder>("@runhook/core/ports/CallbackOrder", {
  defaultValue: () => "bounded"
})

/** What became of one attempt. */
export interface Settlement {
  readonly accountId: AccountId
  /** Names the delivery, its round and its number: a worker whose lease ran out settles nothing. */
  readonly attempt: DeliveryAttempt
  /** What was sent and where to: what follows from it of the attempt need not be kept once more. */
  readonly sent?: Pick<Delivery, "url" | "body"> | undefined
  readonly verdict: Verdict
  /** What it means for the receiver, if anything changes. */
  readonly move?: ReceiverMove | undefined
}

/** How many more deliveries a claimer has room for. An account or receiver that is not named has what each has. */
export interface ClaimRoom {
  readonly total: number
  /** Of them, attempts after the first of their round. */
  readonly retries: number
  /** Of each account. */
  readonly account: number
  readonly accounts: ReadonlyMap<AccountId, number>
  /** Of each receiver. */
  readonly receiver: number
  readonly receivers: ReadonlyArray<Receiver & { readonly room: number }>
}

/** No bound but that of an integer in a database. */
const unbounded = 2 ** 31 - 1

/** Room for so many deliveries, whosever they are. */
export const roomFor = (total: number): ClaimRoom => ({
  total,
  retries: unbounded,
  account: unbounded,
  accounts: new Map(),
  receiver: unbounded,
  receivers: []
})

export interface Claimed {
  readonly deliveries: ReadonlyArray<Delivery>
  /** Those of them that probe a receiver, with the times that its breaker has opened. */
  readonly probes: ReadonlyMap<EventId, number>
  /** Since when the oldest has been due that might have been given out, these included; null when there was none. */
  readonly oldestDueAt: DateTime.Utc | null
  /** When to look again: not after `at` when more is due already, null when nothing is. */
  readonly nextDueAt: DateTime.Utc | null
}

/** Dispatchers that have ended: one, or all but the one that is alone in the store. */
export type Ended =
  | { readonly _tag: "One"; readonly dispatcher: DispatcherId }
  | { readonly _tag: "AllBut"; readonly dispatcher: DispatcherId }

export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Stores a delivery that no change of an execution caused: a test. */
    enqueue(delivery: Delivery): Effect.Effect<void>

    /**
     * Until the scope ends, what this process' changes of executions cause is
     * handed over to the inlet: it is stored as `claimDue` would have claimed
     * it for the dispatcher, and begun by the place that was kept for it once
     * that is committed. What may not be sent at once is stored as due, and its
     * place freed: while an earlier event of its execution is pending, and
     * while its receiver is held or probed. Changes that are made in a
     * transaction of their caller hand over nothing.
     */
    handOver(inlet: DeliveryInlet): Effect.Effect<void, never, Scope.Scope>

    /**
     * Takes due deliveries while there is room for them, of each receiver and
     * in all the oldest due first, counts an attempt on each and leases it:
     * when the lease runs out unsettled, it is due again. Two claimers never
     * hold the same one. One that is due after its `expiresAt` becomes dead.
     *
     * A receiver that is held is left out. Of one whose breaker is open for
     * long enough one delivery is taken, the probe, and it is held for the
     * lease. What had waited when the breaker closed comes forward in slices
     * (`Receiving`).
     *
     * What is to be tried (`tryNow`) is taken before what else its receiver is
     * owed, though the receiver is held or recovering: while the breaker is
     * open as one more probe, for which nothing is held.
     *
     * An event that was never sent is put off instead, and no attempt counted,
     * while one of an earlier revision of its execution has its turn
     * (`DeliveryOrder`).
     *
     * What becomes dead or is put off may take the room of others in this
     * answer, so that one may be empty while more is due.
     *
     * `nextDueAt` counts the leases just given and the ends of holds. What
     * waits for room in its account, its receiver or among the retries is left
     * out: who ends something of theirs looks again.
     *
     * What is claimed carries the name of its dispatcher until it is settled
     * or claimed again. Without one it comes back with the end of its lease alone.
     */
    claimDue(options: {
      readonly dispatcher?: DispatcherId
      readonly room: ClaimRoom
      readonly lease: Duration.Duration
      readonly at: DateTime.Utc
    }): Effect.Effect<Claimed>

    /**
     * Records attempts with their verdicts and moves of receivers, each attempt
     * once. One that is not the latest of a pending delivery changes nothing
     * and is not recorded. Where that ends the turn of an event, settled or not,
     * the next of its execution is due at once (`DeliveryOrder`). Answers how
     * many that were put off are due now.
     */
    settle(settlements: ReadonlyArray<Settlement>, at: DateTime.Utc): Effect.Effect<number>

    /**
     * Gives back what a dispatcher has claimed and knows nothing of, because
     * the answer of its claim was lost. What it has claimed beside `begun` was
     * never sent: it is due at once as it was before, without the attempt.
     * What is due by itself, as its lease has run out, stays as it is. Only for the dispatcher itself, and not while it claims. Answers how many.
     */
    giveBack(options: {
      readonly dispatcher: DispatcherId
      readonly begun: Iterable<EventId>
      readonly at: DateTime.Utc
    }): Effect.Effect<number>

    /**
     * Takes back what dispatchers that have ended had claimed. It is due at
     * once and its attempts stay counted, since they may have been made; one
     * that turns out to be settled before it is claimed again is settled.
     * The dispatchers are forgotten. Answers how many deliveries.
     */
    takeBack(options: { readonly from: Ended; readonly at: DateTime.Utc }): Effect.Effect<number>

    /**
     * A sign of life of a dispatcher. Answers how many of them each of the
     * others has given: one whose number no longer rises may have ended.
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

    /** Newest first. What the deliveries tell is not read. */
    list(
      accountId: AccountId,
      filter: DeliveryFilter,
      page: PageRequest
    ): Effect.Effect<Page<DeliverySummary>>

    /**
     * The dead of the account by receiver and cause, by rising origin and cause:
     * at most `deadLetterGroupsMax`, and in each at most `deadLettersCounted`
     * counted, the latest made. What one of a version before buried may have no
     * receiver and no cause.
     */
    deadLetters(accountId: AccountId): Effect.Effect<DeadLetters>

    /** What those of the deliveries wait for that are pending, and of the account. */
    waits(options: {
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<EventId>
      readonly at: DateTime.Utc
    }): Effect.Effect<ReadonlyMap<EventId, Wait>>

    /**
     * Makes a delivery that waits due at once, past its back-off and whatever
     * its receiver is held for, until an attempt of it is settled. That is its
     * next attempt, and takes the room of one. Of a delivery that is about to
     * be claimed otherwise one attempt is made. Not while it is being sent, nor
     * when it is the turn of an earlier event of its execution.
     */
    tryNow(options: {
      readonly accountId: AccountId
      readonly id: EventId
      readonly at: DateTime.Utc
    }): Effect.Effect<Delivery, DeliveryNotFound | DeliveryNotWaiting>

    /** Starts a new round of attempts for a settled delivery, due at once: same id, same body, a new lifetime. */
    replay(options: {
      readonly accountId: AccountId
      readonly id: EventId
      readonly at: DateTime.Utc
    }): Effect.Effect<Delivery, DeliveryNotFound | DeliveryNotSettled>
  }
>()("@runhook/core/ports/DeliveryStore") {}

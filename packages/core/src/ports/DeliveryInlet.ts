/**
 * Where a store hands over deliveries that this process has caused itself, and
 * that may be sent at once: they are stored as begun by the dispatcher of the
 * process, and reach it in memory once they are committed. Nobody has to look
 * for them. If the process is killed in between they come back as anything does
 * that a dispatcher has claimed: it gives no signs of life, or the lease ends.
 */
import type * as Duration from "effect/Duration"
import type { Delivery } from "../domain/delivery/Delivery.ts"
import type { AccountId, DispatcherId, EventId, ExecutionId } from "../domain/Ids.ts"

/** An event of an execution that is about to be stored. */
export interface ComingEvent {
  readonly id: EventId
  readonly accountId: AccountId
  readonly executionId: ExecutionId
  /** Where it goes; null when that is not at hand, and the inlet may know it from earlier events. */
  readonly url: string | null
}

/** A place that is kept for one event. What is called first counts, and one of them must be. */
export interface KeptPlace {
  /** The event is stored as begun, and committed: it is sent now. Its attempt is counted as that of a claim is. */
  begin(delivery: Delivery): void
  /** The event is not stored, or not as begun. */
  free(): void
  /** Nobody knows whether it is stored. If it is, as begun, it is taken back and falls due. */
  doubt(): void
}

export interface DeliveryInlet {
  /** Who is to be named as the one who has begun what is handed over. */
  readonly dispatcher: DispatcherId
  /** How long what is handed over is the dispatcher's own, from when it is stored. */
  readonly lease: Duration.Duration
  /**
   * Keeps a place for an event, before it is stored; null when it is to be
   * stored as due, as any other: its account, its receiver or the process has
   * no room, its receiver is left alone or has others waiting, or nothing is
   * handed over now. Whether an earlier event of its execution has its turn,
   * and whether another process leaves the receiver alone, is for the store.
   */
  keepPlace(event: ComingEvent): KeptPlace | null
}

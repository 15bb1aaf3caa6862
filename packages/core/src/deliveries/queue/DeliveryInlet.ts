/**
 * Where a store hands over deliveries that this process has caused and that may be sent at once. They are stored as
 * begun by the process' dispatcher, and reach it in memory after the commit, so no claim needs to look for them. If
 * the process is killed in between, they come back like any claimed delivery: when its dispatcher falls silent, or
 * when the lease ends.
 */
import type * as Duration from "effect/Duration"
import type { Delivery } from "../Delivery.ts"
import type { AccountId, DispatcherId, EndpointId, EventId, ExecutionId } from "../../shared/Ids.ts"

/** An event of an execution that is about to be stored. */
export interface ComingEvent {
  readonly id: EventId
  readonly accountId: AccountId
  readonly executionId: ExecutionId
  /** The standing endpoint that it is for; null for a callback. */
  readonly endpointId: EndpointId | null
  /** Where the event goes; null if the store does not know. The inlet may know it from earlier callbacks. */
  readonly url: string | null
}

/** A place kept for one event. Exactly one of these must be called; the first call counts. */
export interface ReservedPlace {
  /**
   * The event is stored as begun, and committed. It is sent now, unless it is `behind`
   * another of its dispatcher (`ClaimedDelivery`). Its attempt counts like that of a
   * claim.
   */
  begin(delivery: Delivery, behind: EventId | null): void
  /** The event is not stored, or is stored as due. */
  free(): void
  /** It is unknown whether the event is stored. If it is stored as begun, it is taken back and falls due. */
  doubt(): void
}

export interface DeliveryInlet {
  /** The dispatcher under whose name the deliveries are stored. */
  readonly dispatcher: DispatcherId
  /** How long a delivery belongs to this dispatcher, counted from when it is stored. */
  readonly lease: Duration.Duration
  /**
   * Keeps a place for an event before it is stored. Null if the event is to be stored
   * as due, like any other: its account, its receiver or the process has no room, the
   * receiver's breaker is open or others wait for it, or nothing is handed over at
   * present.
   *
   * The store itself judges whether an earlier event of the execution goes first, and
   * whether another process holds the receiver.
   */
  reservePlace(event: ComingEvent): ReservedPlace | null
}

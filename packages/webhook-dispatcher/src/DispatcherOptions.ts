/** How a dispatcher works: what a host may set, and what it has otherwise. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface DispatcherOptions {
  /**
   * Deliveries sent at once, and claimed at once. The place of one is free when its
   * receiver has answered. Default: 256.
   */
  readonly concurrency: number
  /**
   * Deliveries at once that wait for a place, are being sent, or whose results wait to
   * be stored; those with long bodies count as several. At this many, nothing more is
   * taken. Default: 2,048.
   */
  readonly heldMax: number
  /**
   * How long a claimed delivery belongs to this dispatcher. Must be well above
   * the longest attempt, or receivers get events twice. Default: 45 s.
   */
  readonly lease: Duration.Duration
  /** Rest after each claim, so that one claim finds several. Default: 10 ms. */
  readonly pace: Duration.Duration
  /** Rest after each store of results, so that several are stored together. Default: 25 ms. */
  readonly settlePace: Duration.Duration
  /**
   * How long a result that blocks nothing may wait, so that many are stored together. A killed process repeats what
   * it had not stored. Default: 250 ms.
   */
  readonly settleGather: Duration.Duration
  /** Longest wait for a signal before looking again, right after there was something to do. Default: 250 ms. */
  readonly pollFloor: Duration.Duration
  /** What that wait grows to while there is nothing to do. Default: 2 s. */
  readonly pollCeiling: Duration.Duration
  /**
   * Whether no other process can work on the store. Then all deliveries that are claimed when this one starts have
   * lost their dispatcher, and are due at once. Default: no.
   */
  readonly isAlone: boolean
  /** What must be ready before the first delivery, such as the listener of receivers that call back at once. Default: nothing. */
  readonly startsAfter: Effect.Effect<void>
  /** Longest wait at the end for deliveries in flight and their results. Default: 17 s, the longest attempt and a little more. */
  readonly stopGrace: Duration.Duration
}

export const optionsDefault: DispatcherOptions = {
  concurrency: 256,
  heldMax: 2_048,
  lease: Duration.seconds(45),
  pace: Duration.millis(10),
  settlePace: Duration.millis(25),
  settleGather: Duration.millis(250),
  pollFloor: Duration.millis(250),
  pollCeiling: Duration.seconds(2),
  isAlone: false,
  startsAfter: Effect.void,
  stopGrace: Duration.seconds(17)
}

/** Replays of many deliveries. */
import type { DeliveryFilter } from "./Deliveries.ts"
import type { Answer } from "./Envelope.ts"
import type { Open } from "./Json.ts"

export type KnownReplayableState = "dead" | "delivered" | "cancelled"

/** Which of the key's deliveries to send again: those that match all that is given, and are settled by now. */
export interface ReplayDeliveries extends Pick<
  DeliveryFilter,
  "type" | "execution_id" | "q" | "from" | "to"
> {
  /** States to replay from; dead alone unless given. */
  readonly status?: ReadonlyArray<KnownReplayableState>
}

export type KnownReplayStatus = "running" | "completed" | "cancelled"

/** As it was asked for; null for any. */
export interface ReplayFilter {
  readonly status: ReadonlyArray<Open<KnownReplayableState>>
  readonly type: string | null
  readonly execution_id: string | null
  readonly q: string | null
  readonly from: string | null
  readonly to: string | null
}

/** A job that sends settled deliveries again. */
export interface Replay extends Answer {
  readonly id: string
  readonly status: Open<KnownReplayStatus>
  /** Deliveries that are due again by it, so far. */
  readonly replayed: number
  readonly filter: ReplayFilter
  /** What is settled later is not replayed. */
  readonly created_at: string
  readonly updated_at: string
  /** Null while it runs. The job is forgotten 30 days later. */
  readonly finished_at: string | null
}

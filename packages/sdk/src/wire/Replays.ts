/** Replays of many deliveries. */
import type { DeliveryFilter, KnownAnswerClass, KnownDeliveryCause } from "./Deliveries.ts"
import type { Answer } from "./Envelope.ts"
import type { Open } from "./Json.ts"

export type KnownReplayableState = "dead" | "delivered" | "cancelled"

/** Which of the key's deliveries to send again: those that match all that is given, and are settled by now. */
export interface ReplayDeliveries extends Pick<
  DeliveryFilter,
  "type" | "execution_id" | "answer" | "cause" | "url_origin" | "q" | "from" | "to"
> {
  /** States to replay from; dead alone unless given. */
  readonly status?: ReadonlyArray<KnownReplayableState>
  /** These alone, if they match: at most 200. */
  readonly ids?: ReadonlyArray<string>
  /** Leave out events that a later one of their execution follows, whatever became of that one. */
  readonly last_only?: boolean
}

/** What a replay would do. */
export interface WouldReplay extends Answer {
  /** Deliveries that match, as far as they were counted. */
  readonly would_replay: number
  /** Whether there may be more. */
  readonly is_more: boolean
  /** The receivers that get the most of them. */
  readonly origins: ReadonlyArray<{ readonly origin: string; readonly count: number }>
  /** How many of each event type. */
  readonly types: Readonly<Record<string, number>>
  readonly oldest_at: string | null
  readonly newest_at: string | null
}

export type KnownReplayStatus = "running" | "completed" | "cancelled"

/** As it was asked for; null for any. */
export interface ReplayFilter {
  readonly status: ReadonlyArray<Open<KnownReplayableState>>
  readonly type: string | null
  readonly execution_id: string | null
  readonly key_id: string | null
  readonly answer: Open<KnownAnswerClass> | null
  readonly cause: Open<KnownDeliveryCause> | null
  readonly url_origin: string | null
  readonly q: string | null
  readonly from: string | null
  readonly to: string | null
  readonly ids: ReadonlyArray<string> | null
  readonly last_only: boolean
}

/** A job that sends settled deliveries again. */
export interface ReplayJob {
  readonly id: string
  readonly status: Open<KnownReplayStatus>
  /** How many it would replay as it began; null when that was too many to count. */
  readonly expected: number | null
  /** Deliveries that are due again by it, so far. */
  readonly replayed: number
  /** Of them, those that have arrived. */
  readonly delivered: number
  /** Of them, those that were given up once more. */
  readonly failed: number
  /** Of them, those that are still being delivered. */
  readonly waiting: number
  readonly filter: ReplayFilter
  /** What is settled later is not replayed. */
  readonly created_at: string
  readonly updated_at: string
  /** Null while it runs. The job is forgotten 30 days later. */
  readonly finished_at: string | null
}

export interface Replay extends ReplayJob, Answer {}

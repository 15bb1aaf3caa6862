/** The history of webhook deliveries. */
import type { Answer, PageQuery } from "./Envelope.ts"
import type { Open } from "./Json.ts"
import type { KnownExecutionEventType } from "./Webhooks.ts"

export type KnownDeliveryState = "pending" | "delivered" | "dead" | "cancelled"

/** `dead`: every attempt has failed; it can be replayed. */
export type DeliveryState = Open<KnownDeliveryState>

export type KnownDeliveryEventType = KnownExecutionEventType | "webhook.test"

export type KnownWaitingFor = "backoff" | "breaker_open" | "earlier_event" | "paused" | "sending"

export type KnownAttemptPhase = "policy" | "dns" | "connect" | "request" | "headers" | "body" | "done"

/** What the latest attempt was answered; `none` when it failed without an answer. */
export type KnownAnswerClass = "2xx" | "3xx" | "4xx" | "5xx" | "none"

/** Why an attempt failed: by the status of the answer, or by what kept it from being one. */
export type KnownAttemptCause =
  | "unauthorized"
  | "not_found"
  | "not_accepted"
  | "redirected"
  | "too_large"
  | "bad_request"
  | "rate_limited"
  | "server_error"
  | "dns"
  | "connect_refused"
  | "connect_timeout"
  | "connect_failed"
  | "tls_expired"
  | "tls_wrong_host"
  | "tls_untrusted"
  | "tls_failed"
  | "no_answer"
  | "broken_off"
  | "blocked"
  | "send_failed"
  | "invalid_answer"

/** `expired`: given up without an attempt. */
export type KnownDeliveryCause = KnownAttemptCause | "expired"

/** The delivery of one event to one URL. */
export interface Delivery {
  readonly id: string
  /** The same on every attempt and replay. */
  readonly event_id: string
  readonly type: Open<KnownDeliveryEventType>
  readonly state: DeliveryState
  readonly callback_url: string
  /** Null for a test. */
  readonly execution_id: string | null
  readonly key_id: string
  readonly reference: string | null
  /** Attempts of the present round. */
  readonly attempts: number
  /** Rises with each replay. */
  readonly round: number
  /**
   * What holds it up: `backoff` after a failed attempt, a receiver that keeps
   * failing (`breaker_open`) or asked for a pause (`paused`), an earlier event
   * of its execution, or the attempt being made (`sending`). Null when it is
   * due now or settled.
   */
  readonly waiting_for: Open<KnownWaitingFor> | null
  /** When it goes out next; while it is being sent, when that counts as lost. Null once settled. */
  readonly next_attempt_at: string | null
  readonly expires_at: string
  readonly last_status: number | null
  readonly last_error: string | null
  /** Why the latest attempt failed; null after a success, before the first attempt, and where a version before kept none. */
  readonly last_cause: Open<KnownDeliveryCause> | null
  readonly created_at: string
  readonly settled_at: string | null
}

/** How long the parts of an attempt took, in milliseconds; null for what it did not come to or did not need. */
export interface AttemptTimings {
  readonly dns: number | null
  readonly connect: number | null
  readonly tls: number | null
  readonly headers: number | null
  readonly body: number | null
}

/** One request to the receiver. */
export interface DeliveryAttempt {
  readonly round: number
  /** Counts up from 1 within the round. */
  readonly number: number
  readonly started_at: string
  readonly duration_ms: number
  readonly timings_ms: AttemptTimings
  /** How far it came. */
  readonly phase: Open<KnownAttemptPhase>
  /** What went wrong; null after a success. */
  readonly error: string | null
  /** Why it failed; null after a success, and where a version before kept none. */
  readonly cause: Open<KnownAttemptCause> | null
  readonly remote_address: string | null
  /** As it was sent, signatures included; null when nothing was sent. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null
  /** What the receiver answered; null when no answer began to arrive. */
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
    /** Whether there was more of the body than is kept. */
    readonly truncated: boolean
  } | null
}

/** A delivery with its payload and attempts. */
export interface DeliveryDetail extends Delivery, Answer {
  /** The exact body that is signed and sent. */
  readonly payload: string
  /** Oldest first. */
  readonly attempts_log: ReadonlyArray<DeliveryAttempt>
}

/** What a list of deliveries is narrowed down by. */
export interface DeliveryFilter extends PageQuery {
  readonly status?: KnownDeliveryState | ReadonlyArray<KnownDeliveryState>
  readonly type?: KnownDeliveryEventType
  readonly execution_id?: string
  readonly answer?: KnownAnswerClass
  readonly cause?: KnownDeliveryCause
  /** The origin of the callback URL, as in `https://hooks.example.com`. */
  readonly url_origin?: string
  /** A part of the event type or URL, or an id. */
  readonly q?: string
  /** Created at or after. */
  readonly from?: string
  /** Created at or before. */
  readonly to?: string
}

/** The delivery is due again. */
export interface DeliveryReplayed extends Answer {
  readonly id: string
  readonly state: DeliveryState
  readonly round: number
}

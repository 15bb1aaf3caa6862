/** The delivery of one webhook event to one URL, and its attempts. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { AccountId, ApiKeyId, EndpointId, EventId, ExecutionId, ReplayId } from "../shared/Ids.ts"
import { AttemptCause, AttemptPhase, DeliveryCause } from "./steps/AttemptCause.ts"
import { AttemptTimings } from "./steps/AttemptTimings.ts"
import { WebhookEventType } from "./WebhookEventType.ts"

/** A delivery that has not arrived by then is given up. */
export const deliveryLifetime = Duration.hours(96)

/** `dead`: given up; can be replayed. `cancelled`: it can never be sent. */
export const DeliveryState = Schema.Literals(["pending", "delivered", "dead", "cancelled"])
export type DeliveryState = typeof DeliveryState.Type

export const Delivery = Schema.Struct({
  /** Also the event's id: the same in the body, in the header and here. */
  id: EventId,
  accountId: AccountId,
  /** The key that caused it, or that made its endpoint; null for an endpoint of the whole account. */
  apiKeyId: Schema.NullOr(ApiKeyId),
  /** The standing endpoint that it is for; null for a callback of an execution, or a test of a URL. */
  endpointId: Schema.NullOr(EndpointId),
  executionId: Schema.NullOr(ExecutionId),
  /**
   * The change of the execution that it announces: its revision after that change.
   * Null if no execution caused it.
   */
  revision: Schema.NullOr(Schema.Int),
  type: WebhookEventType,
  url: Schema.String,
  requestId: Schema.String,
  reference: Schema.NullOr(Schema.String),
  /** The exact text that is signed and sent. */
  body: Schema.String,
  /** The place of its execution in a trace, which its requests name. */
  traceparent: Schema.NullOr(Schema.String),
  state: DeliveryState,
  /** Counted when claimed, so that a crash of the dispatcher still uses up an attempt; not if it was not made. */
  attempts: Schema.Int,
  /** When its latest attempt was claimed; null before the first, and after a claim was given back. */
  attemptedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** Rises with each replay, which counts its attempts from 1. */
  round: Schema.Int,
  /** The job that started this round, if one did. */
  replayId: Schema.NullOr(ReplayId),
  /** Due time while waiting, end of the lease while being sent; null once settled. */
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtc),
  expiresAt: Schema.DateTimeUtc,
  lastStatus: Schema.NullOr(Schema.Int),
  lastError: Schema.NullOr(Schema.String),
  /** Null after a success, and before the first attempt. */
  lastCause: Schema.NullOr(DeliveryCause),
  createdAt: Schema.DateTimeUtc,
  settledAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type Delivery = typeof Delivery.Type

/** A delivery as lists show it: without its body, which may be large, and what else only its requests need. */
export const DeliverySummary = Schema.Struct(Struct.omit(Delivery.fields, ["body", "traceparent"]))
export type DeliverySummary = typeof DeliverySummary.Type

/** What identifies a delivery and its content. */
export type DeliverySubject = Pick<
  Delivery,
  | "id"
  | "accountId"
  | "apiKeyId"
  | "executionId"
  | "revision"
  | "type"
  | "url"
  | "requestId"
  | "reference"
  | "body"
> &
  Partial<Pick<Delivery, "endpointId" | "traceparent">>

/** A delivery as it is first stored: due at once, and given up after `deliveryLifetime`. */
export const newDelivery = (subject: DeliverySubject, at: DateTime.Utc): Delivery => ({
  traceparent: null,
  endpointId: null,
  ...subject,
  state: "pending",
  attempts: 0,
  attemptedAt: null,
  round: 1,
  replayId: null,
  nextAttemptAt: at,
  expiresAt: DateTime.addDuration(at, deliveryLifetime),
  lastStatus: null,
  lastError: null,
  lastCause: null,
  createdAt: at,
  settledAt: null
})

/** Whether a claimed delivery, whose attempt is counted already, was attempted before in its round. */
export const isRetryInFlight = ({ attempts }: Pick<Delivery, "attempts">): boolean => attempts > 1

/** Whether a delivery that waits to be claimed was attempted before in its round. */
export const willBeRetry = ({ attempts }: Pick<Delivery, "attempts">): boolean => attempts > 0

export const DeliveryAttempt = Schema.Struct({
  deliveryId: EventId,
  round: Schema.Int,
  /** Counts up from 1 within the round. */
  number: Schema.Int,
  startedAt: Schema.DateTimeUtc,
  durationMs: Schema.Int,
  timings: AttemptTimings,
  phase: AttemptPhase,
  status: Schema.NullOr(Schema.Int),
  /** What went wrong, in words for operators; null after a success. */
  error: Schema.NullOr(Schema.String),
  /** Why it failed; null after a success, and only then. */
  cause: Schema.NullOr(AttemptCause),
  remoteAddress: Schema.NullOr(Schema.String),
  /**
   * As they were sent, including signatures, which are no secrets; empty if nothing
   * was sent. The body is the delivery's.
   */
  requestHeaders: Schema.Record(Schema.String, Schema.String),
  responseHeaders: Schema.Record(Schema.String, Schema.String),
  responseBody: Schema.NullOr(Schema.String),
  isTruncated: Schema.Boolean
})
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** The most attempts of a delivery that are shown, the latest ones: replays may make any number of them. */
export const attemptsShownMax = 100

/** What URLs of poll endpoints begin with: nothing is sent to them. No URL of a receiver comes behind it in order. */
export const pollScheme = "poll:"

/** Whether it is fetched by its receiver, and not sent. */
export const isFetched = ({ url }: Pick<Delivery, "url">): boolean => url.startsWith(pollScheme)

/** The receiver of a URL within its account: all URLs of one origin share one fate. */
export const destinationOf = (url: string): string => (isFetched({ url }) ? url : new URL(url).origin)

/**
 * What a delivery is in order with: the other events of its execution for the same endpoint, or for the callback URL.
 * Null for one that announces nothing of an execution.
 */
export const streamOf = ({
  endpointId,
  executionId
}: Pick<Delivery, "endpointId" | "executionId">): string | null =>
  executionId === null ? null : endpointId === null ? executionId : `${executionId} ${endpointId}`

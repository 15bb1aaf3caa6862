/**
 * The replay of many deliveries: a job that goes through them by rising id, batch
 * by batch, and remembers how far it has come. Pure moves; a store applies one of
 * them per transaction.
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { ApiKeyId, EndpointId, EventId, ExecutionId, ReplayId } from "../shared/Ids.ts"
import { afterBite, begunAs, jobFields } from "../jobs/Job.ts"
import { KeyScope, wholeAccount } from "../keys/KeyScope.ts"
import { AnswerClass, DeliveryCause } from "../deliveries/steps/AttemptCause.ts"
import type { Delivery, DeliveryState } from "../deliveries/Delivery.ts"
import { WebhookEventType } from "../deliveries/WebhookEventType.ts"

/** The states from which a delivery can be replayed; a pending one is still being delivered. */
export const ReplayableState = Schema.Literals(["dead", "delivered", "cancelled"])
export type ReplayableState = typeof ReplayableState.Type

/** The most ids that a job may be given. */
export const replayIdsMax = 200

/** Which deliveries a job replays: a `DeliveryFilter` for settled ones. Null means any. */
export const ReplayFilter = Schema.Struct({
  states: Schema.Array(ReplayableState),
  type: Schema.NullOr(WebhookEventType),
  /** The key whose deliveries these are; the job is then the key's. */
  apiKeyId: Schema.NullOr(ApiKeyId),
  endpointId: Schema.NullOr(EndpointId),
  executionId: Schema.NullOr(ExecutionId),
  /** Of executions in the scope of the key when the job began. Tests of a receiver are in any. */
  taskIds: KeyScope.fields.taskIds,
  agentIds: KeyScope.fields.agentIds,
  answer: Schema.NullOr(AnswerClass),
  cause: Schema.NullOr(DeliveryCause),
  origin: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Schema.DateTimeUtc),
  to: Schema.NullOr(Schema.DateTimeUtc),
  /** Only these, if they match: at most `replayIdsMax`. */
  ids: Schema.NullOr(Schema.Array(EventId)),
  /**
   * Whether to leave out events that are followed by a later one of their execution, whatever that one's state is.
   */
  lastOnly: Schema.Boolean
})
export type ReplayFilter = typeof ReplayFilter.Type

/** A text that deliveries are searched for, without what may be of a URL's query: that is for the receiver alone. */
export const searchWithoutQuery = (text: string): string => text.replace(/([?&=]).*/s, "$1masked")

/** What is replayed by default. */
export const allDead: ReplayFilter = {
  states: ["dead"],
  type: null,
  apiKeyId: null,
  endpointId: null,
  executionId: null,
  ...wholeAccount,
  answer: null,
  cause: null,
  origin: null,
  text: null,
  from: null,
  to: null,
  ids: null,
  lastOnly: false
}

export const ReplayJob = Schema.Struct({
  ...jobFields,
  id: ReplayId,
  filter: ReplayFilter,
  /** How many it would replay, counted when it began; null if there were too many to count. */
  expected: Schema.NullOr(Schema.Int),
  /** Deliveries for which it has started a new round. */
  replayed: Schema.Int,
  /** Of them, those that have arrived since. */
  delivered: Schema.Int,
  /** Of them, those that were given up again. */
  failed: Schema.Int,
  /** The last delivery that it looked at, whether it matched or not. */
  lastSeenId: Schema.NullOr(EventId)
})
export type ReplayJob = typeof ReplayJob.Type

/** A job as it is first stored. */
export const newReplayJob = (
  subject: Pick<ReplayJob, "id" | "accountId" | "filter" | "expected">,
  at: DateTime.Utc
): ReplayJob => ({
  ...subject,
  ...begunAs(at),
  replayed: 0,
  delivered: 0,
  failed: 0,
  lastSeenId: null
})

/**
 * Whether the job covers a delivery: it was made and settled before the job, so one
 * job replays nothing twice.
 */
export const concerns = ({ createdAt, id }: ReplayJob, delivery: Delivery): boolean =>
  isMadeBy(delivery.id, id) &&
  delivery.settledAt !== null &&
  DateTime.isLessThanOrEqualTo(delivery.settledAt, createdAt)

/** Ids of all kinds sort by the moment they were made. */
const isMadeBy = (id: string, other: string): boolean => id <= other

/** What a job did in one batch. */
export interface Batch {
  /** How many deliveries it could have looked at; a batch that found fewer was the last. */
  readonly limit: number
  /** Those it looked at, by rising id. */
  readonly seen: ReadonlyArray<EventId>
  readonly replayed: number
}

/** The job after a batch. */
export const advanced = (job: ReplayJob, { limit, replayed, seen }: Batch, at: DateTime.Utc): ReplayJob => ({
  ...job,
  ...afterBite(at, { isLast: seen.length < limit }),
  replayed: job.replayed + replayed,
  lastSeenId: seen.at(-1) ?? job.lastSeenId
})

/** Those that it has replayed and that have no outcome yet. */
export const waitingOf = ({ delivered, failed, replayed }: ReplayJob): number => replayed - delivered - failed

/** The job after a round that it started has ended. */
export const withOutcome = (job: ReplayJob, outcome: DeliveryState): ReplayJob => ({
  ...job,
  delivered: job.delivered + (outcome === "delivered" ? 1 : 0),
  failed: job.failed + (outcome === "dead" ? 1 : 0)
})

/** A session: a runner that serves agents, from its hello until it leaves or goes silent. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { Name } from "../../accounts/Account.ts"
import { Capacity, Labels } from "../../catalog/Agent.ts"
import { AccountId, AgentId, RunnerKeyId, SessionId } from "../../shared/Ids.ts"

/** A session counts as present for this long after its last heartbeat. */
export const presence = Duration.seconds(60)

/**
 * How often its last heartbeat is recorded, at most: otherwise idle runners would
 * write at each of their polls.
 */
export const seenEvery = Duration.seconds(10)

/** A session is pruned after this long without a heartbeat. */
export const silenceMax = Duration.hours(24)

/** Sessions that one runner key may have present at once. */
export const presentMax = 100

export const RunnerSession = Schema.Struct({
  id: SessionId,
  accountId: AccountId,
  runnerKeyId: RunnerKeyId,
  /** The process's own name for itself: the same instance finds its session again. */
  instanceId: Schema.String.check(Schema.isBetweenCodePoints(1, 255)),
  runnerName: Name,
  version: Schema.NullOr(Schema.String.check(Schema.isBetweenCodePoints(1, 100))),
  /** The agents it serves; null: all of the account, including later ones. */
  agentIds: Schema.NullOr(Schema.Array(AgentId)),
  capacity: Capacity,
  labels: Labels,
  /** The runner has said that it takes no more work. */
  isDraining: Schema.Boolean,
  /** When an operator first asked it to drain; null if none has. */
  drainRequestedAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  lastSeenAt: Schema.DateTimeUtc
})
export type RunnerSession = typeof RunnerSession.Type

/** A session with its load. */
export interface RunnerSessionView {
  readonly session: RunnerSession
  /** Leases held now, of all its agents. */
  readonly busy: number
}

/** Whether it takes no more work, because it or the operator says so. */
export const takesNoMore = ({ drainRequestedAt, isDraining }: RunnerSession): boolean =>
  isDraining || drainRequestedAt !== null

/** Whether the session sent a heartbeat lately. */
export const isPresent = (session: RunnerSession, at: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(DateTime.addDuration(session.lastSeenAt, presence), at)

/**
 * Whether a heartbeat is worth recording: it is the first for a while, or says that
 * the runner takes no more work.
 */
export const isSeenAnew = (
  { isDraining, lastSeenAt }: RunnerSession,
  sign: { readonly isDraining: boolean | null; readonly at: DateTime.Utc }
): boolean =>
  DateTime.isGreaterThanOrEqualTo(sign.at, DateTime.addDuration(lastSeenAt, seenEvery)) ||
  (sign.isDraining !== null && sign.isDraining !== isDraining)

/** When the session is pruned unless it sends another heartbeat. */
export const forgottenAt = ({ lastSeenAt }: RunnerSession): DateTime.Utc =>
  DateTime.addDuration(lastSeenAt, silenceMax)

export const isForgotten = (session: RunnerSession, at: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(forgottenAt(session), at)

export const serves = (session: RunnerSession, id: AgentId): boolean =>
  session.agentIds === null || session.agentIds.includes(id)

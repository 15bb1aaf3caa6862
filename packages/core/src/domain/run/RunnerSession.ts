/** A runner process that serves agents, from the moment it says hello until it leaves or goes silent. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { Name } from "../account/Account.ts"
import { Capacity, Labels } from "../catalog/Agent.ts"
import { AccountId, AgentId, RunnerKeyId, SessionId } from "../Ids.ts"

/** A session counts as present for that long after it was last heard of. */
export const presence = Duration.seconds(60)

/** When a session was last heard of is kept to that: idle runners would otherwise write at each of their polls. */
export const seenEvery = Duration.seconds(10)

/** A session is forgotten when it was silent for that long. */
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
  /** The agents it serves; null: all of the account, also later ones. */
  agentIds: Schema.NullOr(Schema.Array(AgentId)),
  capacity: Capacity,
  labels: Labels,
  /** The runner has said that it takes no more work. */
  isDraining: Schema.Boolean,
  /** When an operator first asked it to take no more work and leave; null when nobody has. */
  drainRequestedAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  lastSeenAt: Schema.DateTimeUtc
})
export type RunnerSession = typeof RunnerSession.Type

/** A session with what it has under way. */
export interface RunnerSessionView {
  readonly session: RunnerSession
  /** Leases held now, of all its agents. */
  readonly busy: number
}

/** Whether it takes no more work, by its own word or by an operator's. */
export const takesNoMore = ({ drainRequestedAt, isDraining }: RunnerSession): boolean =>
  isDraining || drainRequestedAt !== null

/** Whether the session was heard of lately. */
export const isPresent = (session: RunnerSession, at: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(DateTime.addDuration(session.lastSeenAt, presence), at)

/** Whether a sign of life is worth noting: it is the first for a while, or says that the runner takes no more work. */
export const isSeenAnew = (
  { isDraining, lastSeenAt }: RunnerSession,
  sign: { readonly isDraining: boolean | null; readonly at: DateTime.Utc }
): boolean =>
  DateTime.isGreaterThanOrEqualTo(sign.at, DateTime.addDuration(lastSeenAt, seenEvery)) ||
  (sign.isDraining !== null && sign.isDraining !== isDraining)

/** When the session will have been silent for so long that it is forgotten. */
export const forgottenAt = ({ lastSeenAt }: RunnerSession): DateTime.Utc =>
  DateTime.addDuration(lastSeenAt, silenceMax)

export const isForgotten = (session: RunnerSession, at: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(forgottenAt(session), at)

export const serves = (session: RunnerSession, id: AgentId): boolean =>
  session.agentIds === null || session.agentIds.includes(id)

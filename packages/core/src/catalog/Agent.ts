/** An agent: what callers name to have a task run. Runners are the processes that serve it. */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Name } from "../accounts/Account.ts"
import { isOneLine } from "../shared/OneLine.ts"
import { AccountId, AgentId } from "../shared/Ids.ts"
import { isStorableText } from "../shared/json/JsonText.ts"
import { Description } from "./Task.ts"

const capacityMax = 10_000

/** Executions an agent runs at once. */
export const Capacity = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: capacityMax }))

const labelsMax = 50

/** Free-form labels that operators give to agents and runners. */
export const Labels = Schema.Record(
  Schema.String.check(Schema.isBetweenCodePoints(1, 63), isOneLine, isStorableText),
  Schema.String.check(Schema.isBetweenCodePoints(0, 255), isOneLine, isStorableText)
).check(Schema.isMaxProperties(labelsMax))

/** `paused`: accepts executions and runs none. `disabled`: accepts none either. */
export const AgentState = Schema.Literals(["active", "paused", "disabled"])
export type AgentState = typeof AgentState.Type

export const Agent = Schema.Struct({
  id: AgentId,
  accountId: AccountId,
  name: Name,
  description: Description,
  labels: Labels,
  capacity: Capacity,
  state: AgentState,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type Agent = typeof Agent.Type

/** An agent with its load and its runners. */
export interface AgentView {
  readonly agent: Agent
  /** Leases held now. */
  readonly busy: number
  /** Executions in `queued` that no runner has claimed: also deferred ones, and those that wait for a seat. */
  readonly queued: number
  /** The sessions that serve it and are present. */
  readonly runners: ReadonlyArray<{ readonly isDraining: boolean }>
  /** When a session that serves it was last heard of, present or not; null if none is known. */
  readonly lastSeenAt: DateTime.Utc | null
}

export const AgentStatus = Schema.Literals(["online", "offline", "draining", "paused", "disabled"])
export type AgentStatus = typeof AgentStatus.Type

/** An agent's status for callers: the operator's setting counts before the state of its runners. */
export const statusOf = ({ agent, runners }: AgentView): AgentStatus => {
  if (agent.state !== "active") return agent.state
  if (runners.length === 0) return "offline"
  return runners.every(({ isDraining }) => isDraining) ? "draining" : "online"
}

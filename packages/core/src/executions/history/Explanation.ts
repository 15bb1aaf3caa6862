/** Why an execution has not started: everything that stands in its way, not only the first. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { type AgentView, statusOf } from "../../catalog/Agent.ts"
import type { AgentId, ExecutionId } from "../../shared/Ids.ts"
import type { Run } from "../../runs/Run.ts"
import { isTerminal } from "../ExecutionStatus.ts"
import { isWaiting } from "../RescheduleRequest.ts"

/** How many executions ahead are counted. */
export const aheadMax = 1_000

/**
 * - `held`: pending, until it is released.
 * - `scheduled`: not due yet, or waiting between two attempts.
 * - `waiting`: in the queue.
 * - `claimed`: a runner has it and is about to start it.
 * - `started`, `finished`: nothing to explain.
 */
export const WaitState = Schema.Literals(["held", "scheduled", "waiting", "claimed", "started", "finished"])
export type WaitState = typeof WaitState.Type

export const BlockKind = Schema.Literals([
  "held",
  "not_before",
  "agent_paused",
  "agent_disabled",
  "no_runner",
  "runners_draining",
  "agent_capacity",
  "concurrency_key",
  "queue"
])

/** One obstacle. */
export interface Block {
  readonly kind: typeof BlockKind.Type
  /** Of the waiting execution itself with `held`, `not_before` and `concurrency_key`, of its agent otherwise. */
  readonly id: AgentId | ExecutionId
  /** The concurrency key that has no seat left. */
  readonly key: string | null
  readonly limit: number | null
  readonly current: number | null
}

export interface Explanation {
  readonly state: WaitState
  /** From 1, in the queue of its agent; null if it is not in the queue, or behind `aheadMax` others. */
  readonly position: number | null
  readonly blockedBy: ReadonlyArray<Block>
  readonly runnersOnline: number
  readonly notBefore: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc | null
}

/** What surrounds a run at `at`. A removed agent is null. */
export interface ExplainContext {
  readonly agent: AgentView | null
  /** Executions that would be claimed before it, up to `aheadMax`. */
  readonly ahead: number
  /** Executions that have seats of its key, while it has none; null if it needs none or has one. */
  readonly seatsTaken: number | null
  readonly at: DateTime.Utc
}

export const explain = (run: Run, { agent, ahead, at, seatsTaken }: ExplainContext): Explanation => {
  const state = stateOf(run, at)
  const isInWay = state === "held" || state === "scheduled" || state === "waiting"
  const isInQueue = state === "scheduled" || state === "waiting"
  return {
    state,
    position: state === "waiting" && seatsTaken === null && ahead < aheadMax ? ahead + 1 : null,
    blockedBy: isInWay
      ? [
          ...blocksOfRun(run, state),
          ...blocksOfKey(run, seatsTaken),
          ...blocksOfAgent(agent, isInQueue && seatsTaken === null ? ahead : 0)
        ]
      : [],
    runnersOnline: agent?.runners.length ?? 0,
    notBefore: state === "scheduled" ? run.dueAt : state === "held" ? run.execution.scheduledAt : null,
    expiresAt: isInWay ? run.execution.expiresAt : null
  }
}

const stateOf = (run: Run, at: DateTime.Utc): WaitState => {
  const { status } = run.execution
  if (isTerminal(status)) return "finished"
  if (status === "pending") return "held"
  if (isWaiting(run)) return DateTime.isGreaterThan(run.dueAt, at) ? "scheduled" : "waiting"
  return status === "queued" ? "claimed" : "started"
}

const block = (kind: Block["kind"], id: Block["id"], details: Partial<Block> = {}): Block => ({
  kind,
  id,
  key: null,
  limit: null,
  current: null,
  ...details
})

const blocksOfRun = ({ execution }: Run, state: WaitState): ReadonlyArray<Block> => {
  if (state === "held") return [block("held", execution.id)]
  return state === "scheduled" ? [block("not_before", execution.id)] : []
}

const blocksOfKey = ({ execution: { concurrency, id } }: Run, taken: number | null): ReadonlyArray<Block> =>
  concurrency === null || taken === null || taken < concurrency.limit
    ? []
    : [block("concurrency_key", id, { key: concurrency.key, limit: concurrency.limit, current: taken })]

const blocksOfAgent = (view: AgentView | null, ahead: number): ReadonlyArray<Block> => {
  if (view === null) return []
  const { agent, busy, runners } = view
  const status = statusOf(view)
  return [
    ...(status === "paused" ? [block("agent_paused", agent.id)] : []),
    ...(status === "disabled" ? [block("agent_disabled", agent.id)] : []),
    ...(runners.length === 0 ? [block("no_runner", agent.id, { current: 0 })] : []),
    ...(status === "draining" ? [block("runners_draining", agent.id, { current: runners.length })] : []),
    ...(busy >= agent.capacity
      ? [block("agent_capacity", agent.id, { limit: agent.capacity, current: busy })]
      : []),
    ...(ahead > 0 ? [block("queue", agent.id, { current: ahead })] : [])
  ]
}

/** Chooses which runs a session gets: the best ranked of all its agents that have room. */
import type { AgentId } from "@runhook/core/shared/Ids"
import { pageBytesMax } from "@runhook/core/shared/Page"
import { isClaimable } from "@runhook/core/runs/LeaseMoves"
import { type Run, runBytes } from "@runhook/core/runs/Run"
import { type RunnerSession, serves } from "@runhook/core/runs/sessions/RunnerSession"
import * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import type { Tables } from "../MemoryDatabase.ts"
import { byRank } from "./moves/RunTable.ts"
import { firstOf } from "../tables/Paging.ts"

/** An agent and how many more leases it may have. */
interface Room {
  readonly agentId: AgentId
  readonly free: number
}

/** Where the session may get work from, also when there is no room now; nowhere once it was left. */
export const roomsOf = (tables: Tables, session: RunnerSession): ReadonlyArray<Room> => {
  if (!tables.sessions.has(session.id)) return []
  return Array.from(tables.agents.values())
    .filter(
      (agent) =>
        agent.accountId === session.accountId && agent.state === "active" && serves(session, agent.id)
    )
    .map(({ id, capacity }) => ({
      agentId: id,
      free: Math.max(0, capacity - tables.runs.index.leasedOfAgent.of(id).size)
    }))
}

/** Whether something is due for any of the agents, also when there is no room for it. */
export const isAnyDue = (
  tables: Tables,
  options: { readonly rooms: ReadonlyArray<Room>; readonly at: DateTime.Utc }
): boolean =>
  options.rooms.some(({ agentId }) => claimableOf(tables, agentId, options.at).next().done === false)

/** Up to `limit` claimable runs of at most so many bytes, in the order of claims. */
export const claimable = (
  tables: Tables,
  options: {
    readonly rooms: ReadonlyArray<Room>
    readonly limit: number
    readonly bytesMax: number | undefined
    readonly at: DateTime.Utc
  }
): ReadonlyArray<Run> => {
  const { bytesMax = pageBytesMax, limit } = options
  const ranked = options.rooms
    // The best of all are among the best of each.
    .flatMap(({ agentId, free }) => [
      ...Iterable.take(claimableOf(tables, agentId, options.at), Math.min(free, limit))
    ])
    .toSorted(byRank)
  return firstOf(ranked, { after: null, limit, bytesMax }, runBytes).items
}

/** The claimable runs of an agent. Within a priority what is due comes first, so the deferred rest is skipped in one step. */
function* claimableOf(tables: Tables, agentId: AgentId, at: DateTime.Utc): Generator<Run, void> {
  const waiting = tables.runs.index.waitingOfAgent.of(agentId)
  let level = waiting.first(() => false)
  while (level !== undefined) {
    const { priority } = level.execution
    for (const run of waiting.from(({ execution }) => execution.priority > priority)) {
      if (run.execution.priority !== priority || DateTime.isGreaterThan(run.dueAt, at)) break
      if (isClaimable(run, at)) yield run
    }
    level = waiting.first(({ execution }) => execution.priority >= priority)
  }
}

/** When the next deferred run of any of the agents is due; null when none is deferred. */
export const nextDueAt = (
  tables: Tables,
  options: { readonly rooms: ReadonlyArray<Room>; readonly at: DateTime.Utc }
): DateTime.Utc | null =>
  options.rooms
    .map(({ agentId }) =>
      tables.runs.index.dueTimesOfAgent
        .of(agentId)
        .first(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, options.at))
    )
    .reduce<DateTime.Utc | null>(
      (earliest, run) => (run === undefined ? earliest : DateTime.min(earliest ?? run.dueAt, run.dueAt)),
      null
    )

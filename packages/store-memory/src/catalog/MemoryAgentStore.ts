/** Agents in memory, seen together with their runs and runners. */
import { Agent, type AgentView } from "@runhook/core/catalog/Agent"
import type { AccountId, AgentId } from "@runhook/core/shared/Ids"
import { isPresent, type RunnerSession, serves, takesNoMore } from "@runhook/core/runs/sessions/RunnerSession"
import { AgentInUse, AgentNotFound, AgentStore } from "@runhook/core/catalog/AgentStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"
import { mapPage, pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

const stored = storedAs(Agent)

export const layer = Layer.effect(
  AgentStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { agents } = tables
    const audited = yield* makeAudited

    const find = (accountId: AccountId, id: AgentId): Result.Result<Agent, AgentNotFound> => {
      const agent = agents.get(id)
      return agent?.accountId === accountId ? Result.succeed(agent) : Result.fail(new AgentNotFound({ id }))
    }

    return AgentStore.of({
      create: (agent, audit) =>
        audited((note) => {
          const row = stored(agent)
          note(audit?.(row))
          agents.set(row.id, row)
          return Result.void
        }),

      find: (accountId, id) => transaction(() => find(accountId, id)),

      get: ({ accountId, id, at }) =>
        transaction(() => Result.map(find(accountId, id), (agent) => viewOf(tables, agent, at))),

      list: ({ accountId, ids, at }, page) =>
        Effect.sync(() => {
          const wanted = Iterable.filter(
            agents.values(),
            (agent) => agent.accountId === accountId && (ids === null || ids.includes(agent.id))
          )
          return mapPage(pageOf(wanted, page), (agent) => viewOf(tables, agent, at))
        }),

      update: ({ accountId, id, change, at, audit }) =>
        audited((note) =>
          Result.map(find(accountId, id), (agent) => {
            const changed = stored({ ...agent, ...change, updatedAt: at })
            note(audit?.(agent, changed))
            agents.set(id, changed)
            return viewOf(tables, changed, at)
          })
        ),

      remove: ({ accountId, id, audit }) =>
        audited((note) =>
          Result.gen(function* () {
            const agent = yield* find(accountId, id)
            if (tables.runs.index.unfinishedOfAgent.of(id).size > 0)
              return yield* Result.fail(new AgentInUse({ id }))
            note(audit?.(agent))
            agents.delete(id)
          })
        )
    })
  })
)

const lastSeenOf = ({ lastSeenAt }: RunnerSession): DateTime.Utc => lastSeenAt

const viewOf = (tables: Tables, agent: Agent, at: DateTime.Utc): AgentView => {
  const { leasedOfAgent, unseatedOfAgent, waitingOfAgent } = tables.runs.index
  const sessions = Array.filter(
    tables.sessions.values(),
    (session) => session.accountId === agent.accountId && serves(session, agent.id)
  )
  return {
    agent,
    busy: leasedOfAgent.of(agent.id).size,
    queued: waitingOfAgent.of(agent.id).size + unseatedOfAgent.of(agent.id).size,
    runners: sessions
      .filter((session) => isPresent(session, at))
      .map((session) => ({ isDraining: takesNoMore(session) })),
    lastSeenAt: Array.isArrayNonEmpty(sessions)
      ? Array.max(Array.map(sessions, lastSeenOf), DateTime.Order)
      : null
  }
}

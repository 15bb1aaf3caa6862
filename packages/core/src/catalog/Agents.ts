/** What callers and operators do with agents. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agentCreated, agentRemoved, agentUpdated } from "../audit/CatalogEvents.ts"
import type { Agent } from "./Agent.ts"
import { type AccountId, AgentId, type InAccount, instantOf, makeIds } from "../shared/Ids.ts"
import type { PageRequest } from "../shared/Page.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { type AgentChange, AgentStore } from "./AgentStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changedByOperator } from "../signals/ChangeSignals.ts"
import { audited } from "../audit/Audited.ts"
import { useCase } from "../engine/UseCase.ts"

/** Names one agent of an account. */
export type AgentRef = InAccount<AgentId>

export class Agents extends Context.Service<Agents>()("@runhook/core/catalog/Agents", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const signals = yield* Signals
    const store = yield* AgentStore
    const newId = yield* makeIds

    const create = useCase("Agents.create")(function* (
      request: Pick<Agent, "accountId" | "capacity" | "description" | "labels" | "name">
    ) {
      yield* accounts.get(request.accountId)
      const id = yield* newId(AgentId)
      const at = instantOf(id)
      const agent: Agent = { ...request, id, state: "active", createdAt: at, updatedAt: at }
      yield* store.create(agent, yield* audited(agentCreated))
      yield* signals.notify(
        changedByOperator(agent.accountId, "agent", { id, state: agent.state, isNew: true })
      )
      return { agent, busy: 0, queued: 0, runners: [], lastSeenAt: null }
    })

    const get = useCase("Agents.get")(function* (ref: AgentRef) {
      return yield* store.get({ ...ref, at: yield* DateTime.now })
    })

    /** The agents among `ids`, or all of the account when null. */
    const list = useCase("Agents.list")(function* (
      options: { readonly accountId: AccountId; readonly ids: ReadonlyArray<AgentId> | null },
      page: PageRequest
    ) {
      yield* accounts.get(options.accountId)
      return yield* store.list({ ...options, at: yield* DateTime.now }, page)
    })

    const update = useCase("Agents.update")(function* (ref: AgentRef, change: AgentChange) {
      const view = yield* store.update({
        ...ref,
        change,
        at: yield* DateTime.now,
        audit: yield* audited(agentUpdated)
      })
      // With more capacity, or an agent that is active again, waiting runners may take work.
      const { state } = view.agent
      yield* signals.notify([
        `work:${ref.accountId}:${ref.id}`,
        ...changedByOperator(ref.accountId, "agent", { id: ref.id, state, isNew: false })
      ])
      return view
    })

    /** Removes an agent that has no unfinished executions. */
    const remove = useCase("Agents.remove")(function* (ref: AgentRef) {
      yield* store.remove({ ...ref, audit: yield* audited(agentRemoved) })
      const removed = { id: ref.id, state: "removed", isNew: false }
      yield* signals.notify(changedByOperator(ref.accountId, "agent", removed))
    })

    return { create, get, list, update, remove }
  })
}) {
  static readonly layer = Layer.effect(Agents, Agents.make)
}

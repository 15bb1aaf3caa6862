/** What callers and operators do with agents. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CurrentActor } from "../domain/account/Actor.ts"
import { agentCreated, agentRemoved, agentUpdated } from "../domain/audit/CatalogEvents.ts"
import type { Agent, AgentView } from "../domain/catalog/Agent.ts"
import { type AccountId, AgentId, instantOf, makeIds } from "../domain/Ids.ts"
import type { Page, PageRequest } from "../domain/Page.ts"
import { type AccountNotFound, AccountStore } from "../ports/AccountStore.ts"
import { type AgentChange, type AgentInUse, type AgentNotFound, AgentStore } from "../ports/AgentStore.ts"
import { Signals } from "../ports/Signals.ts"
import { changedByOperator } from "../runtime/ChangeSignals.ts"
import { audited } from "./Audited.ts"
import { useCase } from "./UseCase.ts"

/** Names one agent of an account. */
export interface AgentRef {
  readonly accountId: AccountId
  readonly id: AgentId
}

type Verbs = Agents["Service"]

export class Agents extends Context.Service<
  Agents,
  {
    create(
      request: Pick<Agent, "accountId" | "capacity" | "description" | "labels" | "name">
    ): Effect.Effect<AgentView, AccountNotFound, CurrentActor>
    get(ref: AgentRef): Effect.Effect<AgentView, AgentNotFound>
    /** The agents among `ids`, or all of the account when null. */
    list(
      options: { readonly accountId: AccountId; readonly ids: ReadonlyArray<AgentId> | null },
      page: PageRequest
    ): Effect.Effect<Page<AgentView>, AccountNotFound>
    update(ref: AgentRef, change: AgentChange): Effect.Effect<AgentView, AgentNotFound, CurrentActor>
    /** Removes an agent that has no unfinished executions. */
    remove(ref: AgentRef): Effect.Effect<void, AgentInUse | AgentNotFound, CurrentActor>
  }
>()("@runhook/core/usecases/Agents") {
  static readonly layer = Layer.effect(
    Agents,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const signals = yield* Signals
      const store = yield* AgentStore
      const newId = yield* makeIds

      const create: Verbs["create"] = useCase("Agents.create")(function* (request) {
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

      const get: Verbs["get"] = useCase("Agents.get")(function* (ref) {
        return yield* store.get({ ...ref, at: yield* DateTime.now })
      })

      const list: Verbs["list"] = useCase("Agents.list")(function* (options, page) {
        yield* accounts.get(options.accountId)
        return yield* store.list({ ...options, at: yield* DateTime.now }, page)
      })

      const update: Verbs["update"] = useCase("Agents.update")(function* (ref, change) {
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

      const remove: Verbs["remove"] = useCase("Agents.remove")(function* (ref) {
        yield* store.remove({ ...ref, audit: yield* audited(agentRemoved) })
        const removed = { id: ref.id, state: "removed", isNew: false }
        yield* signals.notify(changedByOperator(ref.accountId, "agent", removed))
      })

      return Agents.of({ create, get, list, update, remove })
    })
  )
}

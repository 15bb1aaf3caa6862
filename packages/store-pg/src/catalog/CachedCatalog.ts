/** Caches the agents, tasks and versions that every create looks up. */
import type { AccountId, AgentId } from "@runhook/core/shared/Ids"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { TaskStore } from "@runhook/core/catalog/TaskStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { cacheFound } from "../sql/LookupCache.ts"

interface AgentRef {
  readonly accountId: AccountId
  readonly id: AgentId
}

export const layerAgents = Layer.effect(
  AgentStore,
  Effect.gen(function* () {
    const store = yield* AgentStore
    const sql = yield* SqlClient
    const found = cacheFound(sql, ({ accountId, id }: AgentRef) => store.find(accountId, id))
    const forget = Effect.ensuring(found.forget)

    return AgentStore.of({
      ...store,
      find: (accountId, id) => found.get({ accountId, id }),
      update: (options) => forget(store.update(options)),
      remove: (options) => forget(store.remove(options))
    })
  })
)

export const layerTasks = Layer.effect(
  TaskStore,
  Effect.gen(function* () {
    const store = yield* TaskStore
    const sql = yield* SqlClient
    const resolved = cacheFound(sql, store.resolve)
    const resolvedVersions = cacheFound(sql, store.resolveVersion)
    const forget = Effect.ensuring(Effect.andThen(resolved.forget, resolvedVersions.forget))

    return TaskStore.of({
      ...store,
      resolve: resolved.get,
      resolveVersion: resolvedVersions.get,
      update: (options) => forget(store.update(options)),
      publish: (options) => forget(store.publish(options)),
      moveTag: (options) => forget(store.moveTag(options)),
      removeTag: (options) => forget(store.removeTag(options)),
      setCurrent: (options) => forget(store.setCurrent(options))
    })
  })
)

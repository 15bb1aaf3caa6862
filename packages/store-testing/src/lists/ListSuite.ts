/** Lists of every store: newest first, each thing once, whatever the page size, and nothing of another account. */
import { assert } from "@effect/vitest"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { Page, PageRequest } from "@runhook/core/shared/Page"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { PeopleStore } from "@runhook/core/people/PeopleStore"
import { RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import { TaskStore } from "@runhook/core/catalog/TaskStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import {
  anyTask,
  makeAccount,
  makeAgent,
  makeApiKey,
  makeRunnerKey,
  makeTask,
  makeVersion
} from "../catalog/CatalogFixtures.ts"
import { anyDelivery, makeDelivery } from "../deliveries/DeliveryFixtures.ts"
import { second, type Stores } from "../Fixtures.ts"
import { fewRuns, paging, walk } from "../Paging.ts"
import { makeLink } from "../people/PeopleFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

interface Item {
  readonly id: string
}

type Does<A> = Effect.Effect<A, unknown, Stores>

/** A list, and how it gets one more thing, of which it answers what the list shows. */
interface List {
  readonly add: (index: number) => Does<Item>
  readonly page: (request: PageRequest) => Does<Page<Item>>
}

const within = <From, To>(page: Does<Page<From>>, to: (item: From) => To) =>
  Effect.map(page, ({ hasMore, items }) => ({ hasMore, items: items.map(to) }))

/** Of a new account each. */
const lists: { readonly [things: string]: (accountId: AccountId) => Does<List> } = {
  "integration keys": (accountId) =>
    ApiKeyStore.use((store) =>
      Effect.succeed({ add: () => makeApiKey(accountId), page: (page) => store.list(accountId, page) })
    ),
  "runner keys": (accountId) =>
    RunnerKeyStore.use((store) =>
      Effect.succeed({ add: () => makeRunnerKey(accountId), page: (page) => store.list(accountId, page) })
    ),
  agents: (accountId) =>
    AgentStore.use((store) =>
      Effect.succeed({
        add: () => makeAgent(accountId),
        page: (page) =>
          within(store.list({ accountId, ids: null, at: second(0) }, page), ({ agent }) => agent)
      })
    ),
  tasks: (accountId) =>
    TaskStore.use((store) =>
      Effect.succeed({
        add: () => makeTask(accountId),
        page: (page) => within(store.list(accountId, anyTask, page), ({ task }) => task)
      })
    ),
  "versions of a task": Effect.fnUntraced(function* (accountId) {
    const store = yield* TaskStore
    const task = yield* makeTask(accountId)
    return {
      add: () => makeVersion(task),
      page: (page) => store.versions({ accountId, taskId: task.id }, page)
    }
  }),
  deliveries: Effect.fnUntraced(function* (accountId) {
    const store = yield* DeliveryStore
    const { id: apiKeyId } = yield* makeApiKey(accountId)
    return {
      add: (index) =>
        Effect.map(
          makeDelivery({ accountId, apiKeyId }, { createdAt: second(index) }),
          Struct.omit(["body", "traceparent"])
        ),
      page: (page) => store.list(accountId, anyDelivery, page)
    }
  }),
  links: (accountId) =>
    PeopleStore.use((store) =>
      Effect.succeed({ add: () => makeLink(accountId), page: (page) => store.listLinks(accountId, page) })
    )
}

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Lists", { layer, name }, (it) => {
    for (const [things, listOf] of Object.entries(lists)) {
      it.effect.prop(
        `show all ${things}, newest first, whatever the page size`,
        paging,
        ({ count, limit }) =>
          Effect.gen(function* () {
            const [{ id: accountId }, { id: stranger }] = [yield* makeAccount(), yield* makeAccount()]
            const list = yield* listOf(accountId)
            yield* (yield* listOf(stranger)).add(0)
            const added = yield* Effect.forEach(
              Array.from({ length: count }, (_, index) => index),
              list.add
            )

            const listed = yield* walk({ list: list.page, idOf: ({ id }) => id, limit })

            assert.deepStrictEqual(listed, added.toReversed())
          }),
        fewRuns
      )
    }
  })

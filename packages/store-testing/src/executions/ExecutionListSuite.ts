/** What every ExecutionStore does when executions are listed. */
import { assert } from "@effect/vitest"
import { type ExecutionFilter, ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { makeAgent, makeTask, makeVersion } from "../catalog/CatalogFixtures.ts"
import { anyExecution, makeExecution, makeTenant, second, type Stores, type Tenant } from "../Fixtures.ts"
import { fewRuns, paging, walk } from "../Paging.ts"
import { suiteOf } from "../SuiteOf.ts"

const idsOf = (items: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  items.map(({ id }) => id)

/** The ids of what a filter finds, newest first. */
const found = Effect.fnUntraced(function* ({ accountId }: Tenant, filter: Partial<ExecutionFilter>) {
  const store = yield* ExecutionStore
  const { items } = yield* store.list(accountId, { ...anyExecution, ...filter }, { after: null, limit: 100 })
  return idsOf(items)
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ExecutionStore list", { layer, name }, (it) => {
    it.test("lists the executions of the account, newest first", function* () {
      const tenant = yield* makeTenant()
      const older = yield* makeExecution(tenant, { createdAt: second(1) })
      const newer = yield* makeExecution(tenant, { createdAt: second(2) })
      const oldest = yield* makeExecution(tenant, { createdAt: second(0) })
      yield* makeExecution(yield* makeTenant())

      const ids = yield* found(tenant, {})

      assert.deepStrictEqual(ids, [newer.id, older.id, oldest.id])
    })

    it.test("finds executions in any of the wanted statuses, as they are now", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const stopped = yield* makeExecution(tenant, { createdAt: second(1) })
      const held = yield* makeExecution(tenant, { createdAt: second(2), status: "pending" })
      const queued = yield* makeExecution(tenant, { createdAt: second(3) })
      const { accountId } = tenant
      yield* store.stop({ accountId, id: stopped.id, to: "aborted", reason: null, at: second(4) })

      assert.deepStrictEqual(yield* found(tenant, { statuses: ["queued"] }), [queued.id])
      assert.deepStrictEqual(yield* found(tenant, { statuses: ["aborted", "pending"] }), [
        held.id,
        stopped.id
      ])
      assert.deepStrictEqual(yield* found(tenant, { statuses: ["completed"] }), [])
    })

    it.test("finds executions by task, agent and reference", function* () {
      const tenant = yield* makeTenant()
      const { accountId } = tenant
      const task = yield* makeTask(accountId)
      const agentId = (yield* makeAgent(accountId)).id
      const byTask = yield* makeExecution({
        ...tenant,
        taskId: task.id,
        taskVersionId: (yield* makeVersion(task)).id
      })
      const byAgent = yield* makeExecution({ ...tenant, agentId })
      const byReference = yield* makeExecution(tenant, { reference: "order-7" })
      yield* makeExecution(tenant, { reference: "order-77" })

      assert.deepStrictEqual(yield* found(tenant, { taskId: task.id }), [byTask.id])
      assert.deepStrictEqual(yield* found(tenant, { agentId }), [byAgent.id])
      assert.deepStrictEqual(yield* found(tenant, { reference: "order-7" }), [byReference.id])
      assert.deepStrictEqual(yield* found(tenant, { reference: "order-7", agentId }), [])
    })

    it.test("finds executions by the beginning of their reference or id, in the account alone", function* () {
      const tenant = yield* makeTenant()
      const named = (reference: string, seconds: number) =>
        makeExecution(tenant, { reference, createdAt: second(seconds) })
      const older = yield* named("INV-2026-0907", 1)
      const newer = yield* named("INV-2026-1%", 70_000)
      yield* named("inv-2026-0907", 140_000)
      yield* named("INV-2025", 210_000)
      yield* makeExecution(yield* makeTenant(), { reference: "INV-2026-0907" })
      const unnamed = yield* makeExecution(tenant, { createdAt: second(280_000) })

      assert.deepStrictEqual(yield* found(tenant, { find: "INV-2026" }), [newer.id, older.id])
      assert.deepStrictEqual(yield* found(tenant, { find: "INV-2026-1%" }), [newer.id])
      assert.deepStrictEqual(yield* found(tenant, { find: "NV-2026" }), [])
      assert.deepStrictEqual(yield* found(tenant, { find: "INV-2026", statuses: ["completed"] }), [])
      assert.deepStrictEqual(yield* found(tenant, { find: "INV-2026", from: second(2) }), [newer.id])
      for (const digits of [8, 13, 36]) {
        assert.deepStrictEqual(yield* found(tenant, { find: unnamed.id.slice(0, digits).toUpperCase() }), [
          unnamed.id
        ])
      }
      assert.deepStrictEqual(yield* found(tenant, { find: unnamed.id.slice(0, 7) }), [])
      assert.deepStrictEqual(yield* found(yield* makeTenant(), { find: unnamed.id }), [])
    })

    it.test(
      "finds an execution by its own id as its reference, and those that were given that id",
      function* () {
        const tenant = yield* makeTenant()
        const own = yield* makeExecution(tenant, { createdAt: second(2) })
        const newer = yield* makeExecution(tenant, { createdAt: second(3), reference: own.id })
        const older = yield* makeExecution(tenant, { createdAt: second(1), reference: own.id })
        const reference = own.id

        assert.deepStrictEqual(yield* found(tenant, { reference }), [newer.id, own.id, older.id])
        assert.deepStrictEqual(yield* found(tenant, { reference, from: second(2), to: second(2) }), [own.id])
        assert.deepStrictEqual(yield* found(yield* makeTenant(), { reference }), [])
      }
    )

    it.test("counts both ends of a span of time to it", function* () {
      const tenant = yield* makeTenant()
      const created = yield* Effect.forEach([9.999, 10, 15, 20, 20.001], (seconds) =>
        makeExecution(tenant, { createdAt: second(seconds) })
      )

      const ids = yield* found(tenant, { from: second(10), to: second(20) })

      assert.deepStrictEqual(ids, idsOf(created.slice(1, 4)).toReversed())
    })

    it.effect.prop(
      "shows each execution once on a walk through the pages, whatever happens to it meanwhile",
      { ...paging, held: Schema.Boolean },
      ({ count, held, limit }) =>
        Effect.gen(function* () {
          const store = yield* ExecutionStore
          const tenant = yield* makeTenant()
          const created = yield* Effect.forEach(Array.from({ length: count }), (_, place) =>
            makeExecution(tenant, {
              createdAt: second(place / 2),
              status: held && place % 2 === 0 ? "pending" : "queued"
            })
          )

          const walked = yield* walk({
            list: (page) =>
              Effect.tap(store.list(tenant.accountId, anyExecution, page), ({ items }) =>
                Effect.forEach(items, ({ accountId, id }) => store.release({ accountId, id, at: second(9) }))
              ),
            idOf: ({ id }) => id,
            limit
          })

          assert.deepStrictEqual(idsOf(walked), idsOf(created).toReversed())
        }),
      fewRuns
    )

    it.effect.prop(
      "shows on a walk through filtered pages what the filter finds at once",
      paging,
      ({ count, limit }) =>
        Effect.gen(function* () {
          const store = yield* ExecutionStore
          const tenant = yield* makeTenant()
          yield* Effect.forEach(Array.from({ length: count }), (_, place) =>
            makeExecution(tenant, { reference: place % 3 === 0 ? "other" : "wanted" })
          )

          for (const filter of [{ reference: "wanted" }, { find: "want" }]) {
            const walked = yield* walk({
              list: (page) => store.list(tenant.accountId, { ...anyExecution, ...filter }, page),
              idOf: ({ id }) => id,
              limit
            })

            assert.deepStrictEqual(idsOf(walked), yield* found(tenant, { reference: "wanted" }))
          }
        }),
      fewRuns
    )
  })

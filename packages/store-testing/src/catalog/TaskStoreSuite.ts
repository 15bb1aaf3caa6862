/** What every TaskStore does with tasks; their versions have suites of their own. */
import { assert } from "@effect/vitest"
import type { Task } from "@runhook/core/catalog/Task"
import { newId, PlatformId, TaskId } from "@runhook/core/shared/Ids"
import { type TaskFilter, TaskStore } from "@runhook/core/catalog/TaskStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Stores } from "../Fixtures.ts"
import { anyTask, makeAccount, makeTask, makeVersion, newTask } from "./CatalogFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const viewWithoutVersions = (task: Task) => ({
  task,
  currentVersion: null,
  latestVersion: null,
  resultSchema: null,
  tags: []
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("TaskStore", { layer, name }, (it) => {
    it.test("gives a task back as it was created", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId, {
        platforms: [{ platformId: yield* newId(PlatformId), name: "Portal", handler: "portal_v2" }],
        timeoutSeconds: 900,
        maxAttempts: 3,
        retryBackoff: { initialSeconds: 0.5, factor: 1.5, maxSeconds: 300, jitter: 0.1 }
      })

      const view = yield* store.get(accountId, task.id)

      assert.deepStrictEqual(view, viewWithoutVersions(task))
    })

    it.test("answers for another account's task as for one that does not exist", function* () {
      const store = yield* TaskStore
      const { id: owner } = yield* makeAccount()
      const { id: accountId } = yield* makeAccount()
      const foreign = yield* makeTask(owner)

      for (const id of [foreign.id, yield* newId(TaskId)]) {
        const error = yield* store.get(accountId, id).pipe(Effect.flip)

        assert.strictEqual(error._tag, "TaskNotFound")
        assert.strictEqual(error.id, id)
      }
    })

    it.test("refuses a slug that another task of the account has", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId, { slug: "fetch-invoices" })
      const namesake = yield* newTask(accountId, { slug: "fetch-invoices" })

      const error = yield* store.create(namesake).pipe(Effect.flip)

      assert.strictEqual(error._tag, "SlugTaken")
      assert.deepStrictEqual(yield* store.list(accountId, anyTask, { after: null, limit: 10 }), {
        items: [viewWithoutVersions(task)],
        hasMore: false
      })
    })

    it.test("lets two accounts use the same slug", function* () {
      const store = yield* TaskStore
      const { id: one } = yield* makeAccount()
      const { id: other } = yield* makeAccount()
      yield* makeTask(one, { slug: "fetch-invoices" })

      const namesake = yield* makeTask(other, { slug: "fetch-invoices" })

      assert.deepStrictEqual(yield* store.get(other, namesake.id), viewWithoutVersions(namesake))
    })

    it.test("lets one of many concurrent creates have a slug", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const tasks = yield* Effect.all(
        Array.from({ length: 10 }, () => newTask(accountId, { slug: "fetch-invoices" }))
      )

      const outcomes = yield* Effect.forEach(tasks, (task) => store.create(task).pipe(Effect.result), {
        concurrency: "unbounded"
      })

      assert.lengthOf(
        outcomes.filter(({ _tag }) => _tag === "Success"),
        1
      )
      const { items } = yield* store.list(accountId, anyTask, { after: null, limit: 20 })
      assert.lengthOf(items, 1)
    })

    it.test("filters by ids, by a part of slug or name in any case, and by tag", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const invoices = yield* makeTask(accountId, { slug: "fetch-invoices", name: "Rechnungen ÜBERTRAGEN" })
      const orders = yield* makeTask(accountId, { slug: "place-orders", name: "100% of_orders" })
      yield* makeVersion(orders, { tags: ["stable"] })
      const found = (filter: Partial<TaskFilter>) =>
        store
          .list(accountId, { ...anyTask, ...filter }, { after: null, limit: 10 })
          .pipe(Effect.map(({ items }) => items.map(({ task }) => task.id)))

      assert.deepStrictEqual(yield* found({ ids: [invoices.id] }), [invoices.id])
      assert.deepStrictEqual(yield* found({ ids: [] }), [])
      assert.deepStrictEqual(yield* found({ text: "FETCH-" }), [invoices.id])
      assert.deepStrictEqual(yield* found({ text: "übertragen" }), [invoices.id])
      assert.deepStrictEqual(yield* found({ text: "-" }), [orders.id, invoices.id])
      assert.deepStrictEqual(yield* found({ text: "%" }), [orders.id])
      assert.deepStrictEqual(yield* found({ text: "_" }), [orders.id])
      assert.deepStrictEqual(yield* found({ text: "\\" }), [])
      assert.deepStrictEqual(yield* found({ tag: "stable" }), [orders.id])
      assert.deepStrictEqual(yield* found({ tag: "stab" }), [])
      assert.deepStrictEqual(yield* found({ tag: "stable", text: "invoices" }), [])
    })

    it.test("changes what it is told to and nothing else", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId, { timeoutSeconds: 60 })
      const at = DateTime.add(task.createdAt, { minutes: 1 })
      const change = { name: "Fetch bills", timeoutSeconds: null, enabled: false }

      const view = yield* store.update({ accountId, id: task.id, change, at })

      assert.deepStrictEqual(view.task, { ...task, ...change, updatedAt: at })
      assert.deepStrictEqual(yield* store.get(accountId, task.id), view)
    })

    it.test("does not let another account change a task", function* () {
      const store = yield* TaskStore
      const { id: owner } = yield* makeAccount()
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(owner)
      const { id, createdAt: at } = task

      const error = yield* store.update({ accountId, id, change: { name: "Mine" }, at }).pipe(Effect.flip)

      assert.strictEqual(error._tag, "TaskNotFound")
      assert.deepStrictEqual(yield* store.get(owner, id), viewWithoutVersions(task))
    })
  })

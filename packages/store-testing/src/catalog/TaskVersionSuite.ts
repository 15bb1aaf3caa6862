/** What every TaskStore does to publish and to show the versions of tasks. */
import { assert } from "@effect/vitest"
import { TaskStore } from "@runhook/core/catalog/TaskStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Stores } from "../Fixtures.ts"
import { makeAccount, makeTask, makeVersion, newVersion } from "./CatalogFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("TaskStore versions", { layer, name }, (it) => {
    it.test("gives a published version back as it was, with the task's next number", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId)
      yield* makeVersion(task)
      const version = yield* newVersion(task, {
        paramsSchema: { type: "object", properties: { month: { enum: ["2026-01", null, 1.5, []] } } },
        resultSchema: { type: "object" }
      })

      const summary = yield* store.publish({ version, tags: ["b", "a"], makeCurrent: true })

      const { publishedAt } = version
      assert.deepStrictEqual(summary, { id: version.id, number: 2, tags: ["a", "b"], publishedAt })
      const resolved = yield* store.resolveVersion({ accountId, versionId: version.id })
      assert.deepStrictEqual(resolved.version, { ...version, number: 2 })
    })

    it.test("is not touched by what becomes of the value it was given", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId)
      const properties: Record<string, string> = { month: "string" }
      const { id: versionId } = yield* makeVersion(task, { paramsSchema: { properties } })

      properties.month = "number"

      const { version } = yield* store.resolveVersion({ accountId, versionId })
      assert.deepStrictEqual(version.paramsSchema, { properties: { month: "string" } })
    })

    it.test("numbers concurrently published versions without gaps", function* () {
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId)

      const summaries = yield* Effect.all(
        Array.from({ length: 20 }, () => makeVersion(task)),
        { concurrency: "unbounded" }
      )

      assert.deepStrictEqual(
        summaries.map(({ number }) => number).toSorted((one, other) => one - other),
        Array.from({ length: 20 }, (_, index) => index + 1)
      )
    })

    it.test(
      "shows the current and the latest version, their tags and the current result schema",
      function* () {
        const store = yield* TaskStore
        const { id: accountId } = yield* makeAccount()
        const task = yield* makeTask(accountId)
        const current = yield* makeVersion(task, {
          tags: ["stable", "lts"],
          resultSchema: { title: "current" }
        })
        const publishedAt = DateTime.add(task.createdAt, { minutes: 1 })
        const latest = yield* makeVersion(task, {
          tags: ["next"],
          makeCurrent: false,
          resultSchema: { title: "latest" },
          publishedAt
        })

        const view = yield* store.get(accountId, task.id)

        assert.deepStrictEqual(view, {
          task: { ...task, updatedAt: publishedAt },
          currentVersion: current,
          latestVersion: latest,
          resultSchema: { title: "current" },
          tags: [
            { name: "lts", versionId: current.id },
            { name: "next", versionId: latest.id },
            { name: "stable", versionId: current.id }
          ]
        })
      }
    )

    it.test("has no current version until one is made so", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId)
      const version = yield* makeVersion(task, { makeCurrent: false, resultSchema: {} })

      const view = yield* store.get(accountId, task.id)

      assert.isNull(view.currentVersion)
      assert.isNull(view.resultSchema)
      assert.deepStrictEqual(view.latestVersion, version)
    })

    it.test("moves a tag with the version that is published under it", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId)
      yield* makeVersion(task, { tags: ["stable"] })

      const second = yield* makeVersion(task, { tags: ["stable"] })

      const { tags } = yield* store.get(accountId, task.id)
      assert.deepStrictEqual(tags, [{ name: "stable", versionId: second.id }])
    })
  })

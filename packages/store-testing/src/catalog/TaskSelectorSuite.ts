/** What every TaskStore does to find a version by a selector, and to move what selectors name: tags and the current version. */
import { assert } from "@effect/vitest"
import type { Task } from "@runhook/core/catalog/Task"
import { selectVersion, type VersionSelector } from "@runhook/core/catalog/VersionSelector"
import { newId, TaskVersionId } from "@runhook/core/shared/Ids"
import { TaskStore } from "@runhook/core/catalog/TaskStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Stores } from "../Fixtures.ts"
import { makeAccount, makeTask, makeVersion, newVersion } from "./CatalogFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** A task with three versions: the second is current, the third tagged `next`. */
const makeTaskOfThree = Effect.fnUntraced(function* () {
  const { id: accountId } = yield* makeAccount()
  const task = yield* makeTask(accountId)
  const first = yield* makeVersion(task)
  const second = yield* makeVersion(task)
  const third = yield* makeVersion(task, { tags: ["next"], makeCurrent: false })
  return { accountId, task, first, second, third }
})

const resolvedId = (task: Task, selector: VersionSelector) =>
  Effect.gen(function* () {
    const store = yield* TaskStore
    const { version } = yield* store.resolve({ accountId: task.accountId, taskId: task.id, selector })
    return version.id
  })

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("TaskStore selectors", { layer, name }, (it) => {
    it.test("resolves every selector", function* () {
      const { task, first, second, third } = yield* makeTaskOfThree()

      assert.strictEqual(yield* resolvedId(task, { _tag: "Current" }), second.id)
      assert.strictEqual(yield* resolvedId(task, { _tag: "ByTag", name: "next" }), third.id)
      assert.strictEqual(yield* resolvedId(task, { _tag: "ById", id: first.id }), first.id)
      assert.strictEqual(yield* resolvedId(task, { _tag: "ByNumber", number: 3 }), third.id)
    })

    it.test("resolves what a request names in order of precedence: id, number, name, current", function* () {
      const { task, first, second, third } = yield* makeTaskOfThree()
      const version = { _tag: "ByTag", name: "next" } as const
      const requests = [
        { expected: first.id, request: { taskVersionId: first.id, v: 2, version } },
        { expected: second.id, request: { v: 2, version } },
        { expected: third.id, request: { version } },
        { expected: second.id, request: {} }
      ]

      const resolved = yield* Effect.forEach(requests, ({ request }) =>
        resolvedId(task, selectVersion(request))
      )

      assert.deepStrictEqual(
        resolved,
        requests.map(({ expected }) => expected)
      )
    })

    it.test("says in words which version it did not find", function* () {
      const { id: accountId } = yield* makeAccount()
      const task = yield* makeTask(accountId)
      const other = yield* makeVersion(yield* makeTask(accountId))
      const selectors: ReadonlyArray<VersionSelector> = [
        { _tag: "Current" },
        { _tag: "ByTag", name: "next" },
        { _tag: "ByNumber", number: 1 },
        { _tag: "ById", id: other.id }
      ]

      const errors = yield* Effect.forEach(selectors, (selector) =>
        resolvedId(task, selector).pipe(Effect.flip)
      )

      assert.deepStrictEqual(
        errors.map((error) => error._tag === "VersionNotFound" && error.selector),
        ["the current version", "tag next", "version 1", `version ${other.id}`]
      )
    })

    it.test("resolves a version by its id alone, for its own account", function* () {
      const store = yield* TaskStore
      const { accountId, task, first } = yield* makeTaskOfThree()
      const { id: stranger } = yield* makeAccount()
      const unknownId = yield* newId(TaskVersionId)

      const resolved = yield* store.resolveVersion({ accountId, versionId: first.id })

      assert.strictEqual(resolved.task.id, task.id)
      assert.strictEqual(resolved.version.number, 1)
      for (const [asker, versionId] of [
        [stranger, first.id],
        [accountId, unknownId]
      ] as const) {
        const error = yield* store.resolveVersion({ accountId: asker, versionId }).pipe(Effect.flip)
        assert.strictEqual(error.selector, `version ${versionId}`)
      }
    })

    it.test("moves a tag from one version to another", function* () {
      const store = yield* TaskStore
      const { accountId, task, first, third } = yield* makeTaskOfThree()
      const at = DateTime.add(task.createdAt, { minutes: 1 })

      const view = yield* store.moveTag({
        accountId,
        taskId: task.id,
        name: "next",
        versionId: first.id,
        at
      })

      assert.deepStrictEqual(view.tags, [{ name: "next", versionId: first.id }])
      assert.deepStrictEqual(view.latestVersion, { ...third, tags: [] })
      assert.deepStrictEqual(view.task.updatedAt, at)
      assert.deepStrictEqual(yield* store.get(accountId, task.id), view)
    })

    it.test("removes a tag, once", function* () {
      const store = yield* TaskStore
      const { accountId, task } = yield* makeTaskOfThree()
      const removal = { accountId, taskId: task.id, name: "next", at: task.createdAt }
      yield* store.removeTag(removal)

      const error = yield* store.removeTag(removal).pipe(Effect.flip)

      assert.strictEqual(error._tag, "TagNotFound")
      assert.deepStrictEqual((yield* store.get(accountId, task.id)).tags, [])
    })

    it.test("makes another version current", function* () {
      const store = yield* TaskStore
      const { accountId, task, first } = yield* makeTaskOfThree()
      const at = DateTime.add(task.createdAt, { minutes: 1 })

      const view = yield* store.setCurrent({ accountId, taskId: task.id, versionId: first.id, at })

      assert.deepStrictEqual(view.currentVersion, first)
      assert.deepStrictEqual(view.task.updatedAt, at)
      assert.strictEqual(yield* resolvedId(task, { _tag: "Current" }), first.id)
    })

    it.test("neither tags nor makes current a version of another task", function* () {
      const store = yield* TaskStore
      const { accountId, task } = yield* makeTaskOfThree()
      const { id: versionId } = yield* makeVersion(yield* makeTask(accountId))
      const before = yield* store.get(accountId, task.id)
      const naming = {
        accountId,
        taskId: task.id,
        versionId,
        at: DateTime.add(task.createdAt, { minutes: 1 })
      }

      const errors = yield* Effect.all([
        store.moveTag({ ...naming, name: "next" }).pipe(Effect.flip),
        store.setCurrent(naming).pipe(Effect.flip)
      ])

      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["VersionNotFound", "VersionNotFound"]
      )
      assert.deepStrictEqual(yield* store.get(accountId, task.id), before)
    })

    it.test("hides the versions of a task from another account", function* () {
      const store = yield* TaskStore
      const { accountId: owner, task, first } = yield* makeTaskOfThree()
      const { id: accountId } = yield* makeAccount()
      const before = yield* store.get(owner, task.id)
      const version = yield* newVersion({ id: task.id, accountId })
      const foreign = {
        accountId,
        taskId: task.id,
        versionId: first.id,
        name: "next",
        at: task.createdAt
      }
      const selector = { _tag: "Current" } as const

      const errors = yield* Effect.all([
        store.publish({ version, tags: [], makeCurrent: true }).pipe(Effect.flip),
        store.versions(foreign, { after: null, limit: 10 }).pipe(Effect.flip),
        store.resolve({ ...foreign, selector }).pipe(Effect.flip),
        store.moveTag(foreign).pipe(Effect.flip),
        store.removeTag(foreign).pipe(Effect.flip),
        store.setCurrent(foreign).pipe(Effect.flip)
      ])

      assert.deepStrictEqual([...new Set(errors.map(({ _tag }) => _tag))], ["TaskNotFound"])
      assert.deepStrictEqual(yield* store.get(owner, task.id), before)
    })
  })

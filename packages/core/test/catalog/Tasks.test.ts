import { assert, describe } from "@effect/vitest"
import { AccountId, newId, TaskId } from "@runhook/core/shared/Ids"
import { Tasks } from "@runhook/core/catalog/Tasks"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import { makeTask, makeTenant, makeVersion } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

const firstPage = { after: null, limit: 10 }

describe("Tasks", () => {
  test("makes a task that is enabled and has no version", function* () {
    const tenant = yield* makeTenant()

    const task = yield* makeTask(tenant.task, { slug: "other" })

    const view = yield* (yield* Tasks).get({ ...task, taskId: task.id })
    assert.deepStrictEqual(view, {
      task,
      currentVersion: null,
      latestVersion: null,
      resultSchema: null,
      tags: []
    })
    assert.deepInclude(task, { enabled: true, createdAt: second(0), updatedAt: second(0) })
  })

  test("refuses a slug that another task of the account has", function* () {
    const { task } = yield* makeTenant()

    const error = yield* Effect.flip(makeTask(task))

    assert.deepInclude(error, { _tag: "SlugTaken", slug: task.slug })
  })

  test("makes no task for an account that there is not", function* () {
    const accountId = yield* newId(AccountId)

    const error = yield* Effect.flip(makeTask({ accountId }))

    assert.strictEqual(error._tag, "AccountNotFound")
  })

  test.each([
    { what: "params", schemas: { paramsSchema: { type: "word" } } },
    { what: "params that accepts no object", schemas: { paramsSchema: { type: "string" } } },
    { what: "result", schemas: { resultSchema: { type: "word" } } }
  ])("publishes no version with a schema of its $what that cannot be used", function* ({ schemas }) {
    const { task } = yield* makeTenant()

    const error = yield* Effect.flip(makeVersion(task, schemas))

    assert.strictEqual(error._tag, "InvalidSchema")
    const field = "resultSchema" in schemas ? "result_schema" : "params_schema"
    assert.isTrue(error.message.startsWith(`${field} cannot be used: `), error.message)
    const { items } = yield* (yield* Tasks).versions({ ...task, taskId: task.id }, firstPage)
    assert.strictEqual(items.length, 1)
  })

  test("looks for the task before the schemas of its version", function* () {
    const { task } = yield* makeTenant()
    const missing = { ...task, id: yield* newId(TaskId) }

    const error = yield* Effect.flip(makeVersion(missing, { paramsSchema: { type: "word" } }))

    assert.strictEqual(error._tag, "TaskNotFound")
  })

  test("lets operators say which version is current and which one a tag names", function* () {
    const tasks = yield* Tasks
    const { task, version } = yield* makeTenant()
    const ref = { accountId: task.accountId, taskId: task.id }
    const next = yield* makeVersion(task, { tags: ["stable"] })
    yield* tasks.setCurrent({ ...ref, versionId: version.id })
    yield* TestClock.adjust("1 minute")

    const moved = yield* tasks.moveTag({ ...ref, name: "stable", versionId: version.id })

    assert.strictEqual(moved.currentVersion?.id, version.id)
    assert.strictEqual(moved.latestVersion?.id, next.id)
    assert.deepStrictEqual(moved.tags, [{ name: "stable", versionId: version.id }])
    assert.deepStrictEqual(moved.task.updatedAt, second(60))
    const resolved = yield* tasks.resolve(ref, { _tag: "ByTag", name: "stable" })
    assert.strictEqual(resolved.id, version.id)
  })

  test("removes a tag once", function* () {
    const tasks = yield* Tasks
    const { task } = yield* makeTenant({ version: { tags: ["stable"] } })
    const ref = { accountId: task.accountId, taskId: task.id, name: "stable" }
    yield* tasks.removeTag(ref)

    const error = yield* Effect.flip(tasks.removeTag(ref))

    assert.deepInclude(error, { _tag: "TagNotFound", name: "stable" })
  })
})

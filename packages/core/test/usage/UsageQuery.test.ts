import { assert, describe, it } from "@effect/vitest"
import { AccountId, ApiKeyId, TaskId } from "@runhook/core/shared/Ids"
import { beginningsOf, rangeOf, type UsageQuestion } from "@runhook/core/usage/UsageQuery"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"

const accountId = AccountId.make("019bb138-1000-752e-9651-0c5ca6a3a450")
const apiKeyId = ApiKeyId.make("019bb13c-a3e0-7128-85d9-0ed99531985d")
const taskId = TaskId.make("019bb14a-5f80-76ca-8d3a-1fb190c192cf")
const now = DateTime.makeUnsafe("2026-03-02T09:30:00.000Z")

const asking = (fields: Partial<UsageQuestion>) =>
  rangeOf(
    { accountId, by: "hour", group: "none", apiKeyId: null, taskId: null, from: null, to: null, ...fields },
    now
  )

const beginnings = (fields: Partial<UsageQuestion>) =>
  beginningsOf(Result.getOrThrow(asking(fields))).map(DateTime.formatIso)

const refused = (fields: Partial<UsageQuestion>) =>
  Result.match(asking(fields), { onSuccess: () => "", onFailure: ({ message }) => message })

describe("a question about usage", () => {
  it("is about the last 24 hours or 30 days unless it says otherwise, the present one included", () => {
    const [hours, days] = [beginnings({}), beginnings({ by: "day" })]

    assert.lengthOf(hours, 24)
    assert.deepStrictEqual([hours[0], hours.at(-1)], ["2026-03-01T10:00:00.000Z", "2026-03-02T09:00:00.000Z"])
    assert.lengthOf(days, 30)
    assert.deepStrictEqual([days[0], days.at(-1)], ["2026-02-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z"])
  })

  it("is about the hours that its first and last moment lie in", () => {
    const from = DateTime.makeUnsafe("2026-03-02T06:59:59.999Z")
    const to = DateTime.makeUnsafe("2026-03-02T08:00:00.000Z")

    assert.deepStrictEqual(beginnings({ from, to }), [
      "2026-03-02T06:00:00.000Z",
      "2026-03-02T07:00:00.000Z",
      "2026-03-02T08:00:00.000Z"
    ])
  })

  it("is about the account, one key, one task, or all of either", () => {
    const of = [{}, { apiKeyId }, { taskId }, { group: "key" }, { group: "task" }] as const

    assert.deepStrictEqual(
      of.map((fields) => Result.getOrThrow(asking(fields)).of),
      [
        { kind: "account", id: accountId },
        { kind: "key", id: apiKeyId },
        { kind: "task", id: taskId },
        { kind: "key", id: null },
        { kind: "task", id: null }
      ]
    )
  })

  it("is refused where its fields do not go together, by the name of one", () => {
    const later = DateTime.add(now, { milliseconds: 1 })

    assert.match(refused({ apiKeyId, taskId }), /^task_id: /)
    assert.match(refused({ group: "key", taskId }), /^group: /)
    assert.match(refused({ from: later, to: now }), /^from: must not be after to/)
    assert.match(refused({ from: DateTime.subtract(now, { hours: 1_000 }) }), /^from: .*1000 hours/)
    assert.strictEqual(refused({ by: "day", from: DateTime.subtract(now, { days: 999 }) }), "")
  })
})

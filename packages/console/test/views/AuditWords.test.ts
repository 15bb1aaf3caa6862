import { assert, describe, it } from "vitest"
import { detailOf, endOfDay, fieldsOf, startOfDay } from "../../src/views/audit/AuditWords.ts"

const at = "2026-11-19T00:40:00.000Z"

describe("an entry of the audit log, in words", () => {
  it.each([
    {
      entry: {
        action: "signing_secret.rotated",
        before: null,
        after: { active_at: "2026-11-19T00:40:00.050Z" }
      },
      words: "immediately"
    },
    {
      entry: {
        action: "signing_secret.rotated",
        before: null,
        after: { active_at: "2026-11-20T00:40:00.000Z" }
      },
      words: "staged"
    },
    {
      entry: {
        action: "task.tag_moved",
        before: { tag: "canary", number: 7 },
        after: { tag: "canary", number: 8 }
      },
      words: "canary: 7 to 8"
    },
    {
      entry: { action: "task.tag_moved", before: null, after: { tag: "new", number: 8 } },
      words: "new: to 8"
    },
    {
      entry: { action: "task.tag_removed", before: { tag: "old", number: 3 }, after: null },
      words: "old: was 3"
    },
    { entry: { action: "replay.begun", before: null, after: { expected: 388 } }, words: "388 deliveries" },
    { entry: { action: "replay.begun", before: null, after: { status: ["dead"] } }, words: "" },
    {
      entry: {
        action: "key.updated",
        before: { max_live: 1, name: "a" },
        after: { max_live: null, name: "b" }
      },
      words: "max live, name"
    },
    { entry: { action: "key.created", before: null, after: { name: "a" } }, words: "" }
  ])("says of $entry.action: $words", ({ entry, words }) => {
    assert.strictEqual(detailOf({ ...entry, at }), words)
  })

  it("names each field with what it was and is", () => {
    assert.deepStrictEqual(
      fieldsOf({ before: { max_live: null, labels: { a: "b" } }, after: { max_live: 5, labels: {} } }),
      [
        { name: "max live", before: "none", after: "5" },
        { name: "labels", before: '{"a":"b"}', after: "{}" }
      ]
    )
  })
})

describe("days of the calendar", () => {
  it("begin and end in the zone of the page", () => {
    assert.strictEqual(startOfDay("2026-11-22", "utc"), "2026-11-22T00:00:00.000Z")
    assert.strictEqual(endOfDay("2026-11-22", "utc"), "2026-11-22T23:59:59.999Z")
    assert.strictEqual(startOfDay("2026-11-22", "local"), new Date(2026, 10, 22).toISOString())
    assert.isUndefined(startOfDay(undefined, "utc"))
    assert.isUndefined(startOfDay("yesterday", "utc"))
  })
})

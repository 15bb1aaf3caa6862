import { assert, describe, it } from "vitest"
import { barOf } from "../../src/output/Progress.ts"
import { factsIn, tableOf } from "../../src/output/Table.ts"

const shown = { now: Date.parse("2026-03-01T12:00:00Z"), width: Infinity }
const id = "01890000-0000-7000-8000-000000000000"

describe("a table", () => {
  it("has a line for each item, with times relative to now and a dash for nothing", () => {
    const items = [
      { id: 1, rate: { per_second: 5 }, tags: ["a", "b"], on: true, created_at: "2026-03-01T11:57:30.250Z" },
      { id: 22, rate: null, tags: [], on: false, created_at: "2026-03-03T13:00:00Z" }
    ]

    const table = tableOf(items, ["id", "rate.per_second", "tags", "on", "created_at"], shown)

    assert.strictEqual(
      table,
      [
        "ID  RATE PER SECOND  TAGS  ON   CREATED",
        "1   5                a, b  yes  2m ago",
        "22  -                none  no   in 2d"
      ].join("\n")
    )
  })

  it("is as wide as the terminal, and cuts no id", () => {
    const items = [{ id, name: "a name that is long", key_id: id }]

    const table = tableOf(items, ["id", "name", "key_id"], { ...shown, width: 90 })
    const narrow = tableOf(items, ["id", "name", "key_id"], { ...shown, width: 20 })

    assert.strictEqual(table.split("\n")[1], `${id}  a name that i…  ${id}`)
    assert.strictEqual(narrow.split("\n")[1], `${id}  a name …  ${id}`)
  })

  it("lets no name speak to the terminal", () => {
    const table = tableOf([{ name: "a\u001b[2Jb\nc\u202ed" }], ["name"], shown)

    assert.strictEqual(table, "NAME\na [2Jb c d")
  })
})

describe("the fields of an answer", () => {
  it("are a line each, objects as paths, and lists of objects as tables", () => {
    const answer = {
      id: "1",
      limit: { per_second: 5, burst: 50 },
      deep: { a: { b: 1 } },
      at: "2026-03-01T11:00:00Z",
      logs: [{ n: 1, response: { status: 204 } }],
      request_id: "req_1"
    }

    assert.strictEqual(
      factsIn(answer, shown),
      [
        "id                1",
        "limit.per_second  5",
        "limit.burst       50",
        'deep              {"a":{"b":1}}',
        "at                2026-03-01T11:00:00Z (1h ago)",
        "",
        "logs",
        "N  RESPONSE STATUS",
        "1  204"
      ].join("\n")
    )
  })
})

describe("a bar", () => {
  it("fills up, and only counts where the end is not known", () => {
    assert.strictEqual(barOf({ done: 50, total: 100 }), `[${"=".repeat(15)}${" ".repeat(15)}] 50/100`)
    assert.strictEqual(barOf({ done: 0, total: 0 }), `[${"=".repeat(30)}] 0/0`)
    assert.strictEqual(barOf({ done: 7, total: null }), "7 done")
  })
})

/** Who owns a row, what bounds it, and where it is: said once for each table. */
import { assert, describe, it } from "@effect/vitest"
import { keyOf, typesOf } from "@runhook/store-pg/schema/Columns"
import { ageRules, ownership } from "@runhook/store-pg/schema/Ownership"
import { schema } from "@runhook/store-pg/schema/Schema"
import { tablesOf } from "@runhook/store-pg/schema/Tables"

describe("The ownership of rows", () => {
  it("is said of every table once", () => {
    assert.deepStrictEqual(ownership.map(({ name }) => name).toSorted(), [...tablesOf(schema)].toSorted())
  })

  it("names a column of each table, and an owner that its rows name", () => {
    const owners = { account: "account_id", agents: "agent_id", keys: "api_key_id" }
    const wrong = ownership.filter(({ key, name, of }) => {
      const columns = typesOf(name)
      return (
        !columns.has(key) ||
        (of in owners &&
          !Object.entries(owners).some(([owner, column]) => owner === of && columns.has(column)))
      )
    })

    assert.deepStrictEqual(wrong, [])
  })

  it("says what bounds each table that does not go with something", () => {
    const unbounded = ownership.filter(
      ({ bound, of }) => bound === "owner" && !["delivery", "execution", "file", "job"].includes(of)
    )

    assert.deepStrictEqual(unbounded, [])
  })

  it("finds the key of each table whose rows are pruned by their age", () => {
    const keys = ageRules.map(({ table: { name } }) => [name, keyOf(name)] as const)

    assert.deepStrictEqual(
      keys.filter(([name, key]) => key.some((column) => !typesOf(name).has(column))),
      []
    )
    assert.deepInclude(Object.fromEntries(keys), {
      console_links: ["id"],
      idempotency_keys: ["api_key_id", "key"],
      usage_sums: ["account_id", "span", "subject", "subject_id", "at"]
    })
  })
})

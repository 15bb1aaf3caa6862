import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { columnsOf, listOf } from "../../src/rows/RowTable.ts"

describe("the columns of fields", () => {
  const Row = Schema.Struct({ id: Schema.String, createdAt: Schema.String, text: Schema.String })

  it("have the names of the fields, unless it is said what they are", () => {
    const columns = columnsOf(Row, "a.", { text: "a.mention" })

    assert.deepStrictEqual(columns, { id: "a.id", createdAt: "a.created_at", text: "a.mention" })
  })

  it("are listed under the names of the fields", () => {
    const listed = listOf(columnsOf(Row, ""))

    assert.strictEqual(listed, 'id AS "id", created_at AS "createdAt", text AS "text"')
  })
})

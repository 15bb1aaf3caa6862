/** Deletes the rows that go with executions, deliveries or jobs, by statements of one bucket and of whole keys. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { keyOf } from "../schema/Columns.ts"
import { ownership, type WholeKind } from "../schema/Ownership.ts"
import { smallint, uuids } from "../sql/Parameters.ts"

export const makeDeleteOwned = Effect.gen(function* () {
  const sql = yield* SqlClient

  return Effect.fnUntraced(function* (
    of: WholeKind,
    {
      accountIds,
      bucket,
      ids
    }: {
      readonly bucket: number
      readonly accountIds: ReadonlyArray<string>
      readonly ids: ReadonlyArray<string>
    }
  ) {
    if (ids.length === 0) return
    for (const { key, name } of ownership.filter((table) => table.of === of)) {
      const ofAccount = keyOf(name).includes("account_id")
        ? sql`AND account_id = ANY (${uuids(accountIds)})`
        : sql``
      yield* sql`
        DELETE FROM ${sql.literal(name)}
        WHERE bucket = ${smallint(bucket)} ${ofAccount} AND ${sql.literal(key)} = ANY (${uuids(ids)})`
    }
  })
})

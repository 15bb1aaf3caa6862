/** What the migrations make of artifacts that are there before them. */
import { assert, describe, it } from "@effect/vitest"
import { migrations, recordTable } from "@runhook/store-pg/migrations/Migrations"
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty } from "./TestDatabase.ts"

/** Applies what is missing of the migrations up to the id. */
const migrateTo = (last: string) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(
      Object.fromEntries(Object.entries(migrations).filter(([name]) => name.slice(0, 4) <= last))
    ),
    table: recordTable
  })

const [first, second] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"]

/** As the version before the first of these migrations stores it. */
const insert = Effect.fnUntraced(function* (accountId: string, fields: { bytes: number; isReady: boolean }) {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO artifacts (
      bucket, account_id, execution_id, id, epoch, kind, file_name, content_type, size_bytes, sha256, storage_key,
      is_ready, created_at, capture
    )
    VALUES (
      7, ${accountId}::uuid, gen_random_uuid(), gen_random_uuid(), 1, 'print', 'a.txt', 'text/plain',
      ${fields.bytes}::bigint, '', '', ${fields.isReady}::boolean, '2020-01-01', gen_random_uuid()
    )`
})

describe("Migrations of artifacts", () => {
  it.layer(layerEmpty)((it) => {
    it.effect("count what is there for its account, and await for an hour what is not ready", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* migrateTo("0005")
        yield* insert(first, { bytes: 5_000_000_000, isReady: true })
        yield* insert(first, { bytes: 1, isReady: false })
        yield* insert(second, { bytes: 30, isReady: true })

        yield* migrateTo("9999")

        // By the version before, on the schema after.
        yield* insert(second, { bytes: 30, isReady: false })
        const usage = yield* sql`
          SELECT bucket, account_id AS account, bytes::float8 AS bytes FROM artifact_usage ORDER BY account_id`
        const awaited = yield* sql`
          SELECT awaited_until > now() + interval '55 minutes' AND awaited_until <= now() + interval '1 hour' AS "inAnHour"
          FROM artifacts`
        assert.deepStrictEqual(usage, [
          { bucket: 7, account: first, bytes: 5_000_000_001 },
          { bucket: 7, account: second, bytes: 30 }
        ])
        assert.deepStrictEqual(
          awaited.map(({ inAnHour }) => inAnHour),
          [true, true, true, true]
        )
      })
    )
  })
})

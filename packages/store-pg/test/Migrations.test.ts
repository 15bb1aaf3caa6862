import { assert, describe, it } from "@effect/vitest"
import { migrate, migrations, recordTable } from "@runhook/store-pg/migrations/Migrations"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty, layerMigrated, TestDatabase } from "./TestDatabase.ts"

const RecordRow = Schema.Struct({ id: Schema.Int, name: Schema.String })

/** What the database says was applied to it, as keys of the record. */
const applied = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql`SELECT migration_id AS id, name FROM ${sql(recordTable)} ORDER BY migration_id`
  const records = yield* Schema.decodeUnknownEffect(Schema.Array(RecordRow))(rows)
  return records.map(({ id, name }) => `${id.toString().padStart(4, "0")}_${name}`)
})

describe("Migrations", () => {
  it.layer(layerEmpty)((it) => {
    it.effect("are applied once by eight starters at once, each with its own pool", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const start = migrate.pipe(
          Effect.provide(PgDatabase.layerWithoutMigrations({ url, maxConnections: 2 }), { local: true })
        )

        const rounds = yield* Effect.all(
          Array.from({ length: 8 }, () => start),
          { concurrency: "unbounded" }
        )

        const byStarter = rounds.filter((each) => each.length > 0)
        assert.lengthOf(byStarter, 1)
        assert.deepStrictEqual(yield* applied, Object.keys(migrations))
      })
    )
  })

  it.layer(layerMigrated)((it) => {
    it.effect("are all in the record, in the order of their ids, without a gap", () =>
      Effect.gen(function* () {
        const names = yield* applied

        assert.deepStrictEqual(names, Object.keys(migrations))
        assert.deepStrictEqual(
          names.map((name) => Number.parseInt(name, 10)),
          names.map((_, place) => place + 1)
        )
      })
    )

    it.effect("do nothing to a database that has them", () =>
      Effect.gen(function* () {
        const again = yield* migrate

        assert.deepStrictEqual(again, [])
      })
    )

    it.effect("key every table but the small references by bucket first", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient

        const rows = yield* sql`
          SELECT t.relname AS name
          FROM pg_index i
          JOIN pg_class t ON t.oid = i.indrelid
          JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
          WHERE t.relnamespace = 'public'::regnamespace AND i.indisunique AND a.attname <> 'bucket'
          GROUP BY t.relname
          ORDER BY t.relname`

        assert.deepStrictEqual(
          rows.map(({ name }) => name),
          [
            "accounts",
            "api_keys",
            "console_links",
            "console_sessions",
            recordTable,
            "runner_keys",
            "service_secrets",
            "signing_secrets",
            "webhook_dispatchers",
            "write_checks"
          ]
        )
      })
    )

    it.effect("leave what every execution changes out of all indexes, so that updates stay in place", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient

        const rows = yield* sql`
          SELECT DISTINCT a.attname AS name
          FROM pg_index i
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = 'executions'::regclass
          ORDER BY a.attname`

        assert.deepStrictEqual(
          rows.map(({ name }) => name),
          ["bucket", "deadline_at", "id", "input_expires_at", "start_by"]
        )
      })
    )
  })
})

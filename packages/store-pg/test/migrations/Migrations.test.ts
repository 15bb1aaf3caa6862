import { assert, describe, it } from "@effect/vitest"
import { byBucket } from "@runhook/store-pg/database/Distribution"
import { recordTable } from "@runhook/store-pg/database/SchemaVersion"
import { migrations } from "@runhook/store-pg/migrations/Migrations"
import { migrateTo } from "@runhook/store-pg/migrations/Migrator"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import { copied, local } from "@runhook/store-pg/schema/Schema"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty, layerMigrated, TestDatabase } from "../TestDatabase.ts"
import { problemOf } from "./StatementRules.ts"
import { refused, sample } from "./Samples.ts"

const RecordRow = Schema.Struct({ id: Schema.Int, name: Schema.String })

/** What the database says was applied to it. */
const applied = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql`SELECT migration_id AS id, name FROM ${sql(recordTable)} ORDER BY migration_id`
  return yield* Schema.decodeUnknownEffect(Schema.Array(RecordRow))(rows)
})

const known = migrations.map(({ id, name }) => ({ id, name }))

describe("Migrations", () => {
  it("after the first have only statements that lock nobody out, and that may run once more", () => {
    const later = migrations.slice(1).flatMap(({ statements }) => statements)

    assert.deepStrictEqual([...later, ...sample.statements].flatMap(problemOf), [])
    assert.deepStrictEqual(
      refused.filter((statement) => problemOf(statement).length === 0),
      []
    )
  })

  it.layer(layerEmpty, { excludeTestServices: true })((it) => {
    it.effect("are applied once by eight starters at once, each with its own pool", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const start = migrateTo(migrations).pipe(
          Effect.provide(PgDatabase.layerWithoutMigrations({ url, maxConnections: 2 }), { local: true })
        )

        const rounds = yield* Effect.all(
          Array.from({ length: 8 }, () => start),
          { concurrency: "unbounded" }
        )

        const byStarter = rounds.filter((each) => each.length > 0)
        assert.lengthOf(byStarter, 1)
        assert.deepStrictEqual(yield* applied, known)
      })
    )
  })

  it.layer(layerMigrated)((it) => {
    it.effect("are all in the record, in the order of their ids, without a gap", () =>
      Effect.gen(function* () {
        const record = yield* applied

        assert.deepStrictEqual(record, known)
        assert.deepStrictEqual(
          record.map(({ id }) => id),
          record.map((_, place) => place + 1)
        )
      })
    )

    it.effect("do nothing to a database that has them", () =>
      Effect.gen(function* () {
        const again = yield* migrateTo(migrations)

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
            "alert_allowances",
            "alert_targets",
            "alert_turns",
            "alerts",
            "api_keys",
            "console_links",
            "console_sessions",
            "evidence_keys",
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

    it.effect(
      "give every table a place on a distributed PostgreSQL: by bucket, as copies, or as its own",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient

          const rows = yield* sql`
          SELECT t.relname AS name, bool_and(a.attname = 'bucket') AS "isByBucket"
          FROM pg_index i
          JOIN pg_class t ON t.oid = i.indrelid
          JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
          WHERE t.relnamespace = 'public'::regnamespace AND i.indisunique
          GROUP BY t.relname`

          const keyed = (isByBucket: boolean) =>
            rows.filter((row) => row["isByBucket"] === isByBucket).map(({ name }) => name)
          assert.sameMembers(keyed(true), [...byBucket])
          assert.sameMembers(keyed(false), [...copied, ...local, recordTable])
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

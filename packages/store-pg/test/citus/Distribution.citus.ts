import { assert, describe, it } from "@effect/vitest"
import { byBucket } from "@runhook/store-pg/database/Distribution"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import { copied } from "@runhook/store-pg/schema/Schema"
import * as TestServer from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"

/** A database of nodes that know each other, and what a superuser may do to it. */
const makeDatabase = Effect.fnUntraced(function* (template: "bare" | "whole") {
  const made = yield* Effect.acquireRelease(
    Effect.promise(() => TestServer.createDatabase({ template: TestServer.citus?.[template] })),
    (database) => Effect.promise(() => database[Symbol.asyncDispose]())
  )
  const options = { url: Redacted.make(made.url) }
  const say = (statement: string) =>
    SqlClient.use((sql) => sql.unsafe(statement)).pipe(
      Effect.provide(PgDatabase.layerWithoutMigrations(options), { local: true })
    )
  return { options, say, starting: Effect.scoped(Layer.build(PgDatabase.layer(options))) }
})

const table = "webhook_queue"

describe("Distribution on Citus", () => {
  it.live("puts every table in its place once, and those by bucket side by side", () =>
    Effect.gen(function* () {
      const { options, say, starting } = yield* makeDatabase("bare")

      const refusal = yield* Effect.flip(starting)
      const first = yield* PgDatabase.upToDate(options)
      const second = yield* PgDatabase.upToDate(options)

      assert.include(String(refusal), "`runhook migrate`")
      assert.sameMembers(first.distributed, [...copied, ...byBucket])
      assert.deepStrictEqual(second, { applied: [], distributed: [], installed: [] })
      assert.deepStrictEqual(
        yield* say(`
          SELECT repmodel = 't' AS "isCopied", count(*)::integer AS tables, count(DISTINCT colocationid)::integer AS groups
          FROM pg_dist_partition GROUP BY 1 ORDER BY 1`),
        [
          { isCopied: false, tables: byBucket.length, groups: 1 },
          { isCopied: true, tables: copied.length, groups: 1 }
        ]
      )
      yield* starting
      assert.match(
        yield* PgDatabase.checked(options),
        /^PostgreSQL .+ and Citus \S+, with 2 shards at 127\.0\.0\.1:\d+, 2 shards at 127\.0\.0\.1:\d+$/
      )
    }).pipe(Effect.scoped)
  )

  it.live("goes on with what was left half-done, which nobody may serve from", () =>
    Effect.gen(function* () {
      const { options, say, starting } = yield* makeDatabase("whole")
      yield* say(`SELECT undistribute_table('${table}')`)
      yield* say("SELECT undistribute_table('runner_keys', cascade_via_foreign_keys => true)")

      const refusal = yield* Effect.flip(starting)
      const { distributed } = yield* PgDatabase.upToDate(options)

      assert.strictEqual(refusal._tag, "NotDistributed")
      assert.includeMembers([...distributed], ["runner_keys", table])
      yield* starting
    }).pipe(Effect.scoped)
  )

  it.live("leaves alone what somebody has distributed in another way, and says how to undo it", () =>
    Effect.gen(function* () {
      const { options, say, starting } = yield* makeDatabase("whole")
      yield* say(`SELECT undistribute_table('${table}')`)
      yield* say(`SELECT create_distributed_table('${table}', 'account_id')`)

      const refusals = [yield* Effect.flip(PgDatabase.upToDate(options)), yield* Effect.flip(starting)]
      yield* say(`SELECT undistribute_table('${table}', cascade_via_foreign_keys => true)`)
      const { distributed } = yield* PgDatabase.upToDate(options)

      for (const refusal of refusals) assert.include(String(refusal), `SELECT undistribute_table('${table}'`)
      assert.deepStrictEqual(distributed, [table])
    }).pipe(Effect.scoped)
  )
})

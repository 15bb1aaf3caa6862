import { assert, describe, it } from "@effect/vitest"
import type { FunctionText } from "@runhook/store-pg/functions/Functions"
import { install } from "@runhook/store-pg/functions/Installation"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import { text } from "@runhook/store-pg/sql/Parameters"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty, TestDatabase } from "../TestDatabase.ts"

const makeFunction = (answer: number): FunctionText => ({
  name: "sample",
  text: `-- A comment, as each file begins with one.
CREATE OR REPLACE FUNCTION sample(p_bucket smallint) RETURNS TABLE (answer integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$ BEGIN RETURN QUERY SELECT ${answer}; END $$`
})

const answerOf = (options: PgDatabase.Options) =>
  SqlClient.use((sql) => sql`SELECT answer FROM sample(7::smallint)`).pipe(
    Effect.provide(PgDatabase.layerWithoutMigrations(options), { local: true })
  )

const installing = (options: PgDatabase.Options, functions: ReadonlyArray<FunctionText>) =>
  Effect.provide(install(functions), PgDatabase.layerOfStart(options), { local: true })

describe("Installation of functions", () => {
  it.layer(layerEmpty, { excludeTestServices: true })((it) => {
    it.effect("is done once by eight starters at once, and again when a text has changed", () =>
      Effect.gen(function* () {
        const options = yield* TestDatabase

        const rounds = yield* Effect.all(
          Array.from({ length: 8 }, () => installing(options, [makeFunction(1)])),
          { concurrency: "unbounded" }
        )
        const first = yield* answerOf(options)
        const changed = yield* installing(options, [makeFunction(2)])
        const second = yield* answerOf(options)

        assert.deepStrictEqual(rounds.flat(), ["sample"])
        assert.deepStrictEqual(first, [{ answer: 1 }])
        assert.deepStrictEqual(changed, ["sample"])
        assert.deepStrictEqual(second, [{ answer: 2 }])
      })
    )

    it.effect("goes to the schema of the tables", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const options = { url, schema: "elsewhere" }
        yield* SqlClient.use((sql) => sql`CREATE SCHEMA elsewhere`)

        const installed = yield* installing(options, [makeFunction(3)])

        assert.deepStrictEqual(installed, ["sample"])
        assert.deepStrictEqual(yield* answerOf(options), [{ answer: 3 }])
        assert.deepStrictEqual(yield* answerOf({ url }), [{ answer: 2 }])
      })
    )

    it.effect("needs no privilege where nothing is missing, and otherwise says who must migrate", () =>
      Effect.gen(function* () {
        const options = yield* TestDatabase
        yield* SqlClient.use((sql) => sql`REVOKE CREATE ON SCHEMA public FROM pg_database_owner`)

        const present = yield* installing(options, [makeFunction(2)])
        const refusal = yield* Effect.flip(installing(options, [makeFunction(4)]))

        assert.deepStrictEqual(present, [])
        assert.strictEqual(refusal._tag, "FunctionsMissing")
        assert.include(refusal.message, "no function sample")
        assert.include(refusal.message, "`runhook migrate`")
      }).pipe(
        Effect.ensuring(
          SqlClient.use((sql) => Effect.orDie(sql`GRANT CREATE ON SCHEMA public TO pg_database_owner`))
        )
      )
    )

    it.effect("leaves nothing behind when one of several fails", () =>
      Effect.gen(function* () {
        const options = yield* TestDatabase
        const sql = yield* SqlClient
        const broken = { name: "broken", text: "CREATE OR REPLACE FUNCTION broken() RETURNS nothing AS ''" }

        yield* Effect.flip(installing(options, [makeFunction(5), broken]))

        assert.deepStrictEqual(yield* answerOf(options), [{ answer: 2 }])
        assert.deepStrictEqual(yield* sql`SELECT to_regproc(${text("broken")}) IS NULL AS "isAbsent"`, [
          { isAbsent: true }
        ])
      })
    )
  })
})

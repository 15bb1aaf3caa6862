import { assert, describe, it } from "@effect/vitest"
import { cachedFor, Writability } from "@runhook/store-pg/database/Writability"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { accept, refuse } from "../Refusing.ts"
import { layerMigrated, TestDatabase } from "../TestDatabase.ts"

const check = Effect.flatMap(Writability, (writability) => writability.check)

const messageOf = <E>(exit: Exit.Exit<void, E>): string =>
  Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""

/** Counts what is written from now on. */
const counting = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE written (n integer)`
  yield* sql`
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
    AS $body$ BEGIN INSERT INTO written VALUES (1); RETURN NULL; END $body$`
  yield* sql`CREATE TRIGGER noted AFTER INSERT ON write_checks FOR EACH STATEMENT EXECUTE FUNCTION note()`
  return Effect.map(sql`SELECT n FROM written`, ({ length }) => length)
})

/** As another process connects, whose sessions begin read-only. */
const readOnly = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  return Layer.provide(
    Writability.layer,
    PgDatabase.layerWithoutMigrations({
      url,
      startupParameters: { default_transaction_read_only: "on" }
    })
  )
})

describe("whether a database takes writes", () => {
  it.layer(Layer.provideMerge(Writability.layer, layerMigrated))((it) => {
    it.effect("is asked once for many who ask, and again after a second", () =>
      Effect.gen(function* () {
        const written = yield* counting

        yield* Effect.all(
          Array.from({ length: 50 }, () => check),
          { concurrency: "unbounded" }
        )
        const atOnce = yield* written
        yield* TestClock.adjust(cachedFor)
        yield* check

        assert.deepStrictEqual([atOnce, yield* written], [1, 2])
      })
    )

    it.effect("is denied by one that is read-only, though it answers", () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(Effect.provide(check, yield* readOnly, { local: true }))

        assert.include(messageOf(exit), "the database is read-only")
      })
    )

    it.effect("is denied by one that refuses to store, until it stores again", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust(cachedFor)
        yield* refuse("write_checks", "53100")

        const exit = yield* Effect.exit(check)
        yield* accept("write_checks")
        yield* TestClock.adjust(cachedFor)

        assert.include(messageOf(exit), "the database has a full disk")
        yield* check
      })
    )

    it.effect("leaves one row, however often it is asked", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* TestClock.adjust(cachedFor)
        yield* check

        const rows = yield* sql`SELECT id FROM write_checks`

        assert.lengthOf(rows, 1)
      })
    )
  })
})

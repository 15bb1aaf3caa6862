import { assert, describe, it } from "@effect/vitest"
import { hasPassed } from "@runhook/store-pg/connections/Deadline"
import { Pipelines } from "@runhook/store-pg/connections/Pipelines"
import { isConnectionLost, isReadOnly, sqlStateOf } from "@runhook/store-pg/database/Outages"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { lockWaits } from "../moves/HeldOpen.ts"
import { layerEmpty, TestDatabase } from "../TestDatabase.ts"
import { makeLine } from "./Line.ts"

const timeout = Duration.seconds(1)

/** Sends a transaction whose statements are these texts. */
const sent = Effect.fnUntraced(function* (...texts: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const pipelines = yield* Pipelines
  return yield* pipelines.transaction(texts.map((text) => sql.unsafe(text)))
})

/** Works on the database by a client of its own. */
const byClient = <A, E, R>(url: PgDatabase.Options["url"], work: Effect.Effect<A, E, R>) =>
  Effect.provide(work, PgDatabase.layerWithoutMigrations({ url, maxConnections: 1, timeout }), {
    local: true
  })

const makeTable = () =>
  SqlClient.use((sql) =>
    Effect.andThen(sql`DROP TABLE IF EXISTS notes`, sql`CREATE TABLE notes (number integer PRIMARY KEY)`)
  )

const noted = SqlClient.use((sql) =>
  Effect.map(sql`SELECT number FROM notes ORDER BY number`.values, (rows) => rows.flat())
)

const holding = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  SqlClient.use((sql) => sql.withTransaction(Effect.andThen(sql`LOCK TABLE notes IN SHARE MODE`, work)))

describe("a transaction in one write", () => {
  it.layer(layerEmpty, { excludeTestServices: true })((it) => {
    it.effect("stores what its statements write, and answers the rows of each", () =>
      Effect.gen(function* () {
        yield* makeTable()

        const answers = yield* sent(
          "INSERT INTO notes VALUES (1), (2) RETURNING number",
          "SELECT sum(number)::integer FROM notes"
        )

        assert.deepStrictEqual(answers, [[[1], [2]], [[3]]])
        assert.deepStrictEqual(yield* noted, [1, 2])
      })
    )

    it.effect(
      "waits for no answer before its COMMIT, so that it is stored although all answers are lost",
      () =>
        Effect.gen(function* () {
          yield* makeTable()
          const line = yield* makeLine()

          const error = yield* byClient(
            line.url,
            Effect.gen(function* () {
              yield* sent("SELECT 1")
              line.loseAnswers()
              return yield* Effect.flip(sent("INSERT INTO notes VALUES (1)", "INSERT INTO notes VALUES (2)"))
            })
          )

          assert.isTrue(hasPassed(error), error.message)
          assert.deepStrictEqual(yield* noted, [1, 2])
        })
    )

    it.effect(
      "fails as the statement that fails, stores nothing, and leaves the connection to the next",
      () =>
        Effect.gen(function* () {
          yield* makeTable()

          const error = yield* Effect.flip(
            sent(
              "INSERT INTO notes VALUES (1)",
              "SELECT 'missed 7'::text::integer",
              "INSERT INTO notes VALUES (2)"
            )
          )
          const process = yield* sent("INSERT INTO notes VALUES (3)", "SELECT pg_backend_pid()")
          const next = yield* sent("SELECT 1", "SELECT pg_backend_pid()")

          assert.strictEqual(sqlStateOf(error), "22P02")
          assert.include(String(error.reason.cause), "missed 7")
          assert.deepStrictEqual(yield* noted, [3])
          assert.deepStrictEqual(next[1], process[1])
        })
    )

    it.effect("fails in time where it waits for a lock, and the server ends it", () =>
      Effect.gen(function* () {
        yield* makeTable()
        const { url } = yield* TestDatabase

        yield* holding(
          Effect.gen(function* () {
            const error = yield* Effect.flip(
              byClient(url, sent("SELECT 1", "INSERT INTO notes VALUES (1)", "INSERT INTO notes VALUES (2)"))
            )
            assert.isTrue(
              error._tag === "SqlError" && (hasPassed(error) || sqlStateOf(error) === "57014"),
              error.message
            )
            yield* Effect.repeat(lockWaits, {
              until: (found) => found.length === 0,
              schedule: Schedule.spaced(20)
            })
          })
        )

        assert.deepStrictEqual(yield* noted, [])
      })
    )

    it.effect("whose connection is lost before its COMMIT is answered fails as lost", () =>
      Effect.gen(function* () {
        yield* makeTable()
        const { url } = yield* TestDatabase
        const line = yield* makeLine()

        const error = yield* byClient(
          line.url,
          Effect.gen(function* () {
            yield* sent("SELECT 1")
            line.loseAnswers()
            const sending = yield* Effect.forkChild(sent("INSERT INTO notes VALUES (1)"), {
              startImmediately: true
            })
            yield* Effect.repeat(byClient(url, noted), {
              until: (found) => found.length === 1,
              schedule: Schedule.spaced(20)
            })
            line.hangUp()
            return yield* Effect.flip(Fiber.join(sending))
          })
        )

        assert.isTrue(isConnectionLost(error), error.message)
      })
    )

    it.effect("closes a connection that turns out to be read-only", () =>
      Effect.gen(function* () {
        yield* makeTable()
        const { url } = yield* TestDatabase

        yield* byClient(
          url,
          Effect.gen(function* () {
            yield* sent("SELECT set_config('default_transaction_read_only', 'on', false)")
            assert.isTrue(isReadOnly(yield* Effect.flip(sent("INSERT INTO notes VALUES (1)"))))
            yield* sent("INSERT INTO notes VALUES (2)")
          })
        )

        assert.deepStrictEqual(yield* noted, [2])
      })
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { PepperStore } from "@runhook/core/keys/sealing/PepperStore"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { hasPassed, patient } from "@runhook/store-pg/connections/Deadline"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { orDefect } from "@runhook/store-pg/sql/SqlErrors"
import * as Cause from "effect/Cause"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { lockWaits } from "../runs/moves/HeldOpen.ts"
import { layerMigrated, TestDatabase } from "../TestDatabase.ts"
import { makeLine } from "./Line.ts"

const timeout = Duration.seconds(1)

/** Works on the database by a client of its own, on one connection, which waits no longer than the time-out. */
const byClient = <A, E, R>(url: PgDatabase.Options["url"], work: Effect.Effect<A, E, R>) =>
  Effect.provide(work, PgDatabase.layerWithoutMigrations({ url, maxConnections: 1, timeout }), {
    local: true
  })

/** Works by the stores of such a client. */
const byStores = <A, E, R>(url: PgDatabase.Options["url"], work: Effect.Effect<A, E, R>) =>
  byClient(
    url,
    Effect.provide(work, Layer.provideMerge(PgStore.layerStores, SecureRandom.layerWebCrypto), {
      local: true
    })
  )

/** What is to be answered, however slow the machine is. */
const answered = patient(Duration.minutes(2))

const one = SqlClient.use((sql) => sql`SELECT 1 AS number`)
const two = SqlClient.use((sql) => sql`SELECT 2 AS number`)

/** Works in a transaction. */
const together = <A, E, R>(work: Effect.Effect<A, E, R>) => SqlClient.use((sql) => sql.withTransaction(work))

/** Holds what others wait for, for as long as the work takes, which has no more time for that. */
const holding = <A, E, R>(tables: string, work: Effect.Effect<A, E, R>) =>
  SqlClient.use((sql) =>
    Effect.andThen(sql.unsafe(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`), patient(Duration.zero)(work))
  ).pipe(together, patient(Duration.seconds(30)))

/** Fails unless the statement is not answered in time. */
const late = <A, R>(statement: Effect.Effect<A, SqlError, R>) =>
  Effect.map(Effect.flip(statement), (error) => assert.isTrue(hasPassed(error), error.message))

const isOutage = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && isStoreUnavailable(Cause.squash(exit.cause))

describe("a statement that is not answered", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("fails in time, and its late answer is not read as that of the next", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()

        const next = yield* byClient(
          line.url,
          Effect.gen(function* () {
            yield* answered(one)
            line.fallSilent()
            yield* late(one)
            line.recover()
            return yield* answered(two)
          })
        )

        assert.deepStrictEqual(next, [{ number: 2 }])
      })
    )

    it.effect("fails in time when it is the COMMIT, and leaves the connection to nobody", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()

        const next = yield* byClient(
          line.url,
          Effect.gen(function* () {
            yield* late(together(Effect.andThen(one, Effect.sync(line.fallSilent))))
            line.recover()
            return yield* answered(two)
          })
        )

        assert.deepStrictEqual(next, [{ number: 2 }])
      })
    )

    it.effect("fails in time when nobody answers who takes the connection", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()
        line.fallSilent()

        const exit = yield* byStores(
          line.url,
          Effect.exit(AccountStore.use((accounts) => accounts.list({ after: null, limit: 1 })))
        )

        assert.isTrue(isOutage(exit))
      })
    )

    it.effect("is not tried again, although it only reads", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()
        const list = AccountStore.use((accounts) => accounts.list({ after: null, limit: 1 }))

        const exit = yield* byStores(
          line.url,
          Effect.gen(function* () {
            yield* answered(list)
            line.fallSilent()
            return yield* Effect.exit(list)
          })
        )

        assert.isTrue(isOutage(exit))
        // One for the statement, and one on which PostgreSQL is asked to end it.
        assert.isAtMost(line.opened(), 2)
      })
    )

    it.effect("is an outage in a transaction too, whose rollback nobody answers", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()
        const exit = yield* byClient(
          line.url,
          Effect.exit(
            orDefect(together(Effect.andThen(one, Effect.andThen(Effect.sync(line.fallSilent), two))))
          )
        )

        assert.isTrue(isOutage(exit))
      })
    )

    it.effect("ends in PostgreSQL as well when it waits for a lock", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const accounts = SqlClient.use((sql) => sql`SELECT id FROM accounts`)

        yield* holding(
          "accounts",
          Effect.gen(function* () {
            yield* byClient(url, late(accounts))
            yield* Effect.repeat(lockWaits, {
              schedule: Schedule.spaced("10 millis"),
              until: ({ length }) => length === 0
            })
          })
        )
      })
    )

    it.effect("may have waited for a connection that others use", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const isOver = yield* Latch.make()

        yield* byClient(
          url,
          Effect.gen(function* () {
            const isHeld = yield* Latch.make()
            const holder = yield* together(Effect.andThen(isHeld.open, isOver.await)).pipe(
              patient(Duration.seconds(30)),
              Effect.forkChild
            )
            yield* isHeld.await
            yield* late(one)
            yield* isOver.open
            yield* Fiber.join(holder)
            assert.deepStrictEqual(yield* answered(two), [{ number: 2 }])
          })
        )
      })
    )

    it.effect("shares its time with the others of its transaction, of which nothing is kept", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { url } = yield* TestDatabase
        yield* sql`CREATE TABLE kept (id integer)`
        const slow = SqlClient.use((client) => client`INSERT INTO kept SELECT 1 FROM pg_sleep(0.6)`)

        yield* byClient(url, late(together(Effect.andThen(slow, slow))))

        assert.deepStrictEqual(yield* sql`SELECT id FROM kept`, [])
      })
    )

    it.effect("has longer when the service sweeps or starts, for which no caller waits", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const stores = PgDatabase.layerWithoutMigrations({ url, maxConnections: 4, timeout }).pipe(
          Layer.provideMerge(SecureRandom.layerWebCrypto)
        )

        yield* Effect.gen(function* () {
          const accounts = yield* AccountStore
          const sweeps = yield* SweepStore
          const pepper = yield* PepperStore
          const at = yield* DateTime.now
          const waits = yield* holding(
            "accounts, runner_sessions, service_secrets",
            Effect.gen(function* () {
              const fibers = yield* Effect.forEach(
                [sweeps.nextDueAt(at), pepper.findOrKeep("sealed"), pepper.find],
                (work) => Effect.forkDetach(work, { startImmediately: true })
              )
              assert.isTrue(isOutage(yield* Effect.exit(accounts.list({ after: null, limit: 1 }))))
              assert.isTrue(fibers.every((fiber) => fiber.pollUnsafe() === undefined))
              return fibers
            })
          )

          const [due, kept] = yield* Effect.forEach(waits, Fiber.join)
          assert.deepStrictEqual([due, kept], [null, "sealed"])
        }).pipe(Effect.provide(Layer.provide(PgStore.layerStores, stores), { local: true }))
      })
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { AccountId, newId } from "@runhook/core/shared/Ids"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { outagesByState } from "@runhook/store-pg/database/Outages"
import * as PgStore from "@runhook/store-pg/PgStore"
import { defectOf, orDefect } from "@runhook/store-pg/sql/SqlErrors"
import { makeTenant, newExecution, unlimited } from "@runhook/store-testing/Fixtures"
import * as Cause from "effect/Cause"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { accept, refuse } from "../Refusing.ts"
import { layerMigrated } from "../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

const asked =
  "25006 53100 53200 53300 53400 55P03 57014 57P01 57P02 57P03 58030 08000 08003 08006 08P01".split(" ")

const makeAccount = Effect.gen(function* () {
  const accounts = yield* AccountStore
  yield* accounts.create({
    id: yield* newId(AccountId),
    name: "Acme",
    rateLimit: null,
    maxLive: null,
    retentionDays: null,
    createdAt: yield* DateTime.now
  })
})

/** What the defect says that something ends with. */
const messageOf = <A, E>(exit: Exit.Exit<A, E>): string => {
  const fault = Exit.isFailure(exit) ? Cause.squash(exit.cause) : "it succeeded"
  return isStoreUnavailable(fault) ? fault.message : `not unavailable: ${String(fault)}`
}

describe("a database that refuses", () => {
  it("names the node of Citus that it has lost in the middle of a statement", () => {
    const cause = Object.assign(new Error("server closed the connection unexpectedly"), {
      code: "XX000",
      where: "while executing command on one.example:5432"
    })
    const error = new SqlError({ reason: new UnknownError({ cause }) })

    const { message } = Object(defectOf(error))

    assert.include(message, "one.example:5432")
  })

  it.layer(stores, { excludeTestServices: true })((it) => {
    it.effect.each([...new Set([...asked, ...Object.keys(outagesByState)])])(
      "is an outage when it says %s, and names it",
      (state) =>
        Effect.gen(function* () {
          yield* refuse("accounts", state)

          const exit = yield* Effect.exit(makeAccount)

          assert.include(messageOf(exit), state)
          yield* accept("accounts")
          yield* makeAccount
        })
    )

    it.effect.each([
      {
        state: "08006",
        said: "connection to the remote node failed",
        means: "cannot reach one of its nodes"
      },
      {
        state: "XX000",
        said: "failure on connection marked as essential",
        means: "cannot reach one of its nodes"
      },
      {
        state: "XX000",
        said: "server closed the connection unexpectedly",
        means: "cannot reach one of its nodes"
      },
      {
        state: "XX000",
        said: "could not commit transaction for shard 102131 on at least one active node",
        means: "cannot reach one of its nodes"
      },
      { state: "XX000", said: "could not find valid entry for shard 102131", means: "moves a shard" },
      { state: "XX000", said: "shard for the given value does not exist", means: "moves a shard" }
    ])("is an outage when it says of its nodes: $said", ({ means, said, state }) =>
      Effect.gen(function* () {
        yield* refuse("accounts", state, { message: said })

        const exit = yield* Effect.exit(makeAccount)

        assert.include(messageOf(exit), means)
        yield* accept("accounts")
      })
    )

    it.effect.each([
      "0A000",
      "22003",
      "23514",
      "25001",
      "25P02",
      "42501",
      "42P01",
      "54000",
      "57000",
      "XX000"
    ])("made a mistake of ours known when it says %s", (state) =>
      Effect.gen(function* () {
        yield* refuse("accounts", state)

        const exit = yield* Effect.exit(makeAccount)

        assert.match(messageOf(exit), /^not unavailable: /)
        yield* accept("accounts")
      })
    )

    it.effect("answers everybody whose creates went in one batch, at once, and stores none", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const executions = yield* Effect.all(Array.from({ length: 300 }, () => newExecution(tenant)))
        const createAll = Effect.forEach(
          executions,
          (execution) => Effect.exit(store.create({ ...unlimited, execution })),
          { concurrency: "unbounded" }
        )
        yield* refuse("execution_requests", "53100")

        const refused = yield* createAll
        yield* accept("execution_requests")
        const taken = yield* createAll

        assert.lengthOf(
          refused.filter((exit) => messageOf(exit).includes("has a full disk")),
          300
        )
        assert.lengthOf(taken.filter(Exit.isSuccess), 300)
      })
    )

    it.effect("is not away because a caller is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const waiting = sql`
          SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'PgSleep'`
        const fiber = yield* Effect.forkChild(orDefect(sql`SELECT pg_sleep(60)`))
        yield* Effect.repeat(waiting, {
          schedule: Schedule.spaced("10 millis"),
          until: ({ length }) => length > 0
        })

        yield* Fiber.interrupt(fiber)
        const exit = yield* Fiber.await(fiber)

        assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
        yield* makeAccount
      })
    )

    it.effect("is an outage when it cuts off what waits for a lock", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const isLocked = yield* Latch.make()
        const impatient = (setting: string) =>
          Effect.exit(
            orDefect(
              Effect.andThen(
                sql`SELECT set_config(${setting}::text, '50ms', true)`,
                sql`SELECT 1 FROM accounts`
              ).pipe(sql.withTransaction)
            )
          )
        const fiber = yield* Effect.forEach(["lock_timeout", "statement_timeout"], impatient).pipe(
          isLocked.whenOpen,
          Effect.forkChild
        )

        const exits = yield* Effect.gen(function* () {
          yield* sql`LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE`
          yield* isLocked.open
          return yield* Fiber.join(fiber)
        }).pipe(sql.withTransaction)

        const messages = exits.map(messageOf)
        assert.match(messages[0] ?? "", /did not give a lock within lock_timeout \(55P03: /)
        assert.match(messages[1] ?? "", /cut off a statement, by statement_timeout .*\(57014: /)
      })
    )
  })
})

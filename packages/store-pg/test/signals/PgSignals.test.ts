import { assert, describe, it } from "@effect/vitest"
import { AgentId, newId } from "@runhook/core/domain/Ids"
import { Signals, type Topic } from "@runhook/core/ports/Signals"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgSignals from "@runhook/store-pg/signals/PgSignals"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestDatabase from "../TestDatabase.ts"

/** The signals of one process more on the database. */
const aProcess = Effect.gen(function* () {
  const { url } = yield* TestDatabase.TestDatabase
  const client = PgDatabase.layerWithoutMigrations({ url, maxConnections: 4 })
  const services = yield* Layer.build(Layer.fresh(PgSignals.layer.pipe(Layer.provide(client))))
  return Context.get(services, Signals)
})

const aTopic = Effect.map(newId(AgentId), (id): Topic => `agent:${id}`)

/** Signals again and again until the waiter has woken: a process listens a moment after it has started. */
const wakes = Effect.fnUntraced(function* (options: {
  readonly notify: Effect.Effect<void>
  readonly woken: Effect.Effect<void>
}) {
  const waiter = yield* Effect.forkChild(options.woken, { startImmediately: true })
  const telling = yield* options.notify.pipe(
    Effect.repeat(Schedule.spaced("20 millis")),
    Effect.forkChild({ startImmediately: true })
  )
  yield* Fiber.join(waiter)
  yield* Fiber.interrupt(telling)
})

const environment = TestDatabase.layerEmpty.pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

describe("PgSignals", () => {
  it.live("wakes who waits in another process", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aProcess, yield* aProcess]
      const topic = yield* aTopic
      const woken = yield* other.subscribe([topic])

      yield* wakes({ notify: one.notify([topic]), woken })
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("tells of more topics than one notice holds", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aProcess, yield* aProcess]
      const topics = yield* Effect.replicateEffect(aTopic, 400)
      const last = yield* other.subscribe(topics.slice(-1))

      yield* wakes({ notify: one.notify(topics), woken: last })
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("listens again after its connection was cut", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aProcess, yield* aProcess]
      const topic = yield* aTopic
      const woken = yield* other.subscribe([topic])
      yield* wakes({ notify: one.notify([topic]), woken })

      yield* SqlClient.use(
        (sql) => sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`
      )

      yield* wakes({ notify: one.notify([topic]), woken })
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("keeps the end of this process to itself", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aProcess, yield* aProcess]
      const topic = yield* aTopic
      const [draining, woken] = [yield* other.subscribe(["draining"]), yield* other.subscribe([topic])]

      yield* wakes({ notify: one.notify(["draining", topic]), woken })

      const drained = yield* Effect.forkChild(draining, { startImmediately: true })
      yield* wakes({ notify: one.notify(["draining", topic]), woken })
      assert.isUndefined(drained.pollUnsafe())
    }).pipe(Effect.scoped, Effect.provide(environment))
  )
})

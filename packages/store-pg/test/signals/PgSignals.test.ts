import { assert, describe, it } from "@effect/vitest"
import { wordOf } from "@runhook/core/accounts/AccountChange"
import { AccountId, ExecutionId, newId } from "@runhook/core/shared/Ids"
import { type Heard, Signals, type Topic } from "@runhook/core/signals/Signals"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgSignals from "@runhook/store-pg/signals/PgSignals"
import { suite } from "@runhook/store-testing/signals/SignalsSuite"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { makeLine } from "../connections/Line.ts"
import * as TestDatabase from "../TestDatabase.ts"

/** The signals of one process more on a database. */
const processOn = Effect.fnUntraced(function* (url: Redacted.Redacted, timeout = Duration.seconds(1)) {
  const client = PgDatabase.layerWithoutMigrations({ url, timeout, maxConnections: 1 })
  const services = yield* Layer.build(Layer.fresh(PgSignals.layer.pipe(Layer.provide(client))))
  return Context.get(services, Signals)
})

const makeProcess = () => Effect.flatMap(TestDatabase.TestDatabase, ({ url }) => processOn(url))

const makeTopic = () => Effect.map(newId(ExecutionId), (id): Topic => `execution:${id}`)

/**
 * Two processes, of which the second listens: somebody in it was woken by the
 * first, which signals again and again, or with everybody when it began to listen.
 */
const twoProcesses = Effect.gen(function* () {
  const [one, other] = [yield* makeProcess(), yield* makeProcess()]
  const topic = yield* makeTopic()
  const waiter = yield* Effect.forkChild(yield* other.subscribe([topic]), { startImmediately: true })
  yield* one.notify([topic]).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("20 millis"),
      until: () => waiter.pollUnsafe() !== undefined
    })
  )
  return { one, other }
})

/** A clock that can be set ahead, as that of a process is which stood still meanwhile. */
const makeSettableClock = () =>
  Effect.map(Clock.Clock, (real) => {
    let aheadMillis = 0
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + aheadMillis,
      currentTimeMillis: Effect.map(real.currentTimeMillis, (millis) => millis + aheadMillis),
      currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
      currentTimeNanos: real.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }
    const standStill = (time: Duration.Input) => {
      aheadMillis += Duration.toMillis(time)
    }
    return { clock, standStill }
  })

/** What a process hears of an account. */
const heardAt = Effect.fnUntraced(function* (process: Signals["Service"], accountId: AccountId) {
  const heard = yield* Queue.unbounded<Heard>()
  yield* process.watch(accountId, (each) => void Queue.offerUnsafe(heard, each))
  return heard
})

/** Waits until one of these was heard. */
const untilHeard = (heard: Queue.Dequeue<Heard>, isIt: (each: Heard) => boolean) =>
  Effect.repeat(Queue.take(heard), { until: isIt })

const isOf = (topic: Topic) => (heard: Heard) => heard !== "changes_lost" && wordOf(heard) === topic

/** Ends the connections on which processes listen. */
const cutListeners = SqlClient.use(
  (sql) => sql`
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
)

const environment = TestDatabase.layerEmpty.pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

/** One process, once it listens. It wakes everybody when it begins to. */
const listening = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const process = yield* makeProcess()
    yield* yield* process.subscribe([yield* makeTopic()])
    return process
  })
)

suite("PostgreSQL", Layer.provide(listening, environment))

describe("PgSignals", () => {
  it.live("wakes who waits in another process", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoProcesses
      const topic = yield* makeTopic()
      const woken = yield* other.subscribe([topic])

      yield* one.notify([topic])

      yield* woken
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("leaves a session that is read-only for another", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const sql = yield* SqlClient
      const database = new URL(Redacted.value(url)).pathname.slice(1)
      const change = (what: string) => sql.unsafe(`ALTER DATABASE ${database} ${what}`)
      const others = Effect.map(
        sql`
          SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
            AND query NOT LIKE '%pg_notify%'`,
        (rows) => rows.map(({ pid }) => pid)
      )
      const untilOthers = (are: (pids: ReadonlyArray<unknown>) => boolean) =>
        Effect.repeat(others, { schedule: Schedule.spaced("20 millis"), until: are })

      yield* change("SET default_transaction_read_only = on")
      yield* processOn(url, Duration.millis(200))
      const readOnly = yield* untilOthers((pids) => pids.length > 0)
      yield* change("RESET default_transaction_read_only")

      yield* untilOthers((pids) => pids.length > 0 && !pids.some((pid) => readOnly.includes(pid)))
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("tells of more topics than one notice holds", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoProcesses
      const topics = yield* Effect.replicateEffect(makeTopic(), 400)
      const last = yield* other.subscribe(topics.slice(-1))

      yield* one.notify(topics)

      yield* last
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("wakes everybody in other processes when there is too much to tell", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoProcesses
      const woken = yield* other.subscribe([yield* makeTopic()])

      yield* one.notify(yield* Effect.replicateEffect(makeTopic(), 6_000))

      yield* woken
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("wakes everybody once it listens again after its connection was cut, and then as before", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoProcesses
      const woken = yield* other.subscribe([yield* makeTopic()])

      yield* cutListeners

      yield* woken
      const topic = yield* makeTopic()
      const wokenAsBefore = yield* other.subscribe([topic])
      yield* one.notify([topic])
      yield* wokenAsBefore
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("wakes everybody once it listens again after its connection fell silent, and then as before", () =>
    Effect.gen(function* () {
      const line = yield* makeLine()
      const [one, other] = [yield* makeProcess(), yield* processOn(line.url)]
      yield* yield* other.subscribe([yield* makeTopic()])
      const woken = yield* other.subscribe([yield* makeTopic()])

      line.loseConnections()

      yield* woken
      const topic = yield* makeTopic()
      const wokenAsBefore = yield* other.subscribe([topic])
      yield* one.notify([topic])
      yield* wokenAsBefore
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("works within the process while the database is away", () =>
    Effect.gen(function* () {
      const alone = yield* processOn(Redacted.make("postgres://nobody@127.0.0.1:1/nowhere"))
      const topic = yield* makeTopic()
      const woken = yield* alone.subscribe([topic])

      yield* alone.notify([topic])

      yield* woken
    }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )

  it.live("keeps the end of this process to itself", () =>
    Effect.gen(function* () {
      const { one, other } = yield* twoProcesses
      const topic = yield* makeTopic()
      const woken = yield* other.subscribe([topic])
      const draining = yield* other.subscribe(["draining"])
      const drained = yield* Effect.forkChild(draining, { startImmediately: true })

      yield* one.notify(["draining", topic])

      yield* woken
      assert.isUndefined(drained.pollUnsafe())
    }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live(
    "says when it starts that changes may be lost: one that was killed may not have told its last",
    () =>
      Effect.gen(function* () {
        const { other } = yield* twoProcesses
        const heard = yield* heardAt(other, yield* newId(AccountId))
        yield* makeProcess()

        const first = yield* Queue.take(heard)

        assert.strictEqual(first, "changes_lost")
      }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live(
    "tells who watches that anything may have changed, once it hears of it again after it stood still",
    () =>
      Effect.gen(function* () {
        const { clock, standStill } = yield* makeSettableClock()
        const [one, other] = [
          yield* Effect.provideService(makeProcess(), Clock.Clock, clock),
          yield* makeProcess()
        ]
        const accountId = yield* newId(AccountId)
        const heard = yield* heardAt(other, accountId)
        const before = wordOf({ accountId, kind: "agent", thing: null })
        const telling = yield* Effect.forkChild(
          Effect.repeat(one.notify([before]), Schedule.spaced("20 millis"))
        )
        yield* untilHeard(heard, isOf(before))
        yield* Fiber.interrupt(telling)
        standStill("61 seconds")
        yield* one.notify([wordOf({ accountId, kind: "task", thing: null })])

        // The process of the watcher says again that it watches, as it does every 20 seconds.
        yield* heardAt(other, accountId)

        // Or that changes were lost, where the watcher itself heard nobody just then.
        const isAnything = isOf(wordOf({ accountId, kind: "audit", thing: null }))
        yield* untilHeard(heard, (each) => each === "changes_lost" || isAnything(each))
      }).pipe(Effect.scoped, Effect.provide(environment))
  )

  it.live("tells before it ends what it has not told yet", () =>
    Effect.gen(function* () {
      const { other } = yield* twoProcesses
      const scope = yield* Scope.make()
      const one = yield* Scope.provide(makeProcess(), scope)
      const topics = yield* Effect.replicateEffect(makeTopic(), 2)
      const [first, second] = topics
      assert.isDefined(first)
      assert.isDefined(second)
      const [wokenFirst, wokenSecond] = [yield* other.subscribe([first]), yield* other.subscribe([second])]
      yield* one.notify([first])
      yield* wokenFirst

      yield* one.notify([second])
      yield* Scope.close(scope, Exit.void)

      yield* wokenSecond
    }).pipe(Effect.scoped, Effect.provide(environment))
  )
})

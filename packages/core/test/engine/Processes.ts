/** Whole engines as processes of one service: each with its own connections, caches and signals, on one database. */
import { Signals } from "@runhook/core/signals/Signals"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as PgSignals from "@runhook/store-pg/signals/PgSignals"
import { adapters, useCases } from "@runhook/test-support/engine/Engine"
import { createDatabase } from "@runhook/test-support/postgres/TestServer"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { CurrentTransformer, type Transformer } from "effect/sql/Statement"
import { TestClock } from "effect/testing"

/** An entry for each time that somebody in the process has looked, found nothing and begun to wait. */
class Waits extends Context.Service<Waits, Queue.Queue<void>>()("@runhook/core/test/engine/Waits") {
  static readonly layer = Layer.effect(Waits, Queue.unbounded<void>())
}

/** The texts of the statements that a process has sent, in order: also of those that it sends for several callers at once. */
export class Statements extends Context.Service<Statements, Array<string>>()(
  "@runhook/core/test/engine/Statements"
) {
  static readonly layer = Layer.effectContext(
    Effect.sync(() => {
      const texts: Array<string> = []
      const note: Transformer = (statement) =>
        Effect.sync(() => {
          texts.push(statement.compile()[0])
          return statement
        })
      return Context.make(Statements, texts).pipe(Context.add(CurrentTransformer, note))
    })
  )
}

const watchedSignals = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const signals = yield* Signals
    const waits = yield* Waits
    return Signals.of({
      ...signals,
      subscribe: (topics) =>
        Effect.map(signals.subscribe(topics), (wait) => Effect.andThen(Queue.offer(waits, undefined), wait)),
      queue: (options) =>
        Effect.map(signals.queue(options), (place) => ({
          ...place,
          woken: Effect.andThen(Queue.offer(waits, undefined), place.woken)
        }))
    })
  })
).pipe(Layer.provide(PgSignals.layer), Layer.provideMerge(Waits.layer))

/** What a process has of its own. What it does by itself takes real time. */
const outside = (database: PgDatabase.Options) =>
  watchedSignals.pipe(
    Layer.provideMerge(adapters),
    Layer.provideMerge(Layer.provide(PgStore.layerStores, Layer.succeed(StoreClock, "caller"))),
    Layer.provide(PgDatabase.layer(database)),
    Layer.provideMerge(Statements.layer),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )

/** A process in which time goes by when the test says so. */
const processOn = Effect.fnUntraced(function* (database: PgDatabase.Options) {
  const services = yield* TestClock.withLive(Layer.build(Layer.fresh(outside(database))))
  return yield* Layer.build(Layer.fresh(Layer.provideMerge(useCases, Layer.succeedContext(services))))
})

const makeDatabase = () =>
  Effect.acquireRelease(
    Effect.promise(() => createDatabase()),
    (database) => Effect.promise(() => database[Symbol.asyncDispose]())
  )

type Process = Effect.Success<ReturnType<typeof processOn>>

/** Two processes on a database of their own. */
export class Processes extends Context.Service<
  Processes,
  { readonly one: Process; readonly other: Process }
>()("@runhook/core/test/engine/Processes") {
  static readonly layer = Layer.effect(
    Processes,
    Effect.gen(function* () {
      const { url } = yield* makeDatabase()
      const process = processOn({ url: Redacted.make(url), maxConnections: 4, timeout: Duration.minutes(2) })
      return { one: yield* process, other: yield* process }
    })
  )
}

/** Begins a wait, and comes back when only news can end it before its time is over. */
export const parked = Effect.fnUntraced(function* <A, E, R>(wait: Effect.Effect<A, E, R>) {
  const waits = yield* Waits
  yield* Queue.clear(waits)
  const fiber = yield* Effect.forkChild(wait, { startImmediately: true })
  yield* Queue.take(waits)
  return fiber
})

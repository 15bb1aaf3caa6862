/**
 * Signals among the processes that share a database. Who waits in this process
 * is woken at once, whatever becomes of the database; the others are told by
 * NOTIFY, after the commit, in a statement of its own. Like every signal a
 * notice is a hint: it may be lost, and a process that listens again wakes
 * everybody in it, since nobody knows what was told meanwhile.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as InProcessSignals from "@runhook/core/InProcessSignals"
import { Signals, type Topic } from "@runhook/core/ports/Signals"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Client from "../connecting/Client.ts"
import { DatabaseTimeout } from "../connecting/Deadline.ts"
import { listen } from "./Listening.ts"
import { channel, heardIn, isForOthers, noticesOf } from "./Notice.ts"
import { Untold } from "./Untold.ts"

/** Pause after telling, in which topics gather: a process tells a hundred times a second at most. */
const gathering = Duration.millis(10)

/** Topics that may gather meanwhile: 53 notices in one statement. */
const untoldMax = 5_000

/** Waits between attempts to listen: from 100 ms doubling to 5 s, spread so that processes do not return all at once. */
const listeningAgain = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(
  Schedule.jittered
)

/** On a connection apart from those of the stores, so that neither waits for the other. */
const layerConnection = Layer.unwrap(
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const timeout = yield* DatabaseTimeout
    return PgClient.layerFrom(Client.make({ ...config, maxConnections: 1, timeout }))
  })
)

/** Signals beside the stores of a client: on two connections more, to the same database. */
export const layer = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const local = yield* Signals
    const sql = yield* PgClient.PgClient
    const timeout = yield* DatabaseTimeout
    const self = yield* (yield* SecureRandom).uuidV7()
    const untold = new Untold(untoldMax)
    const isSomeUntold = Latch.makeUnsafe()

    const tell = Effect.gen(function* () {
      yield* Effect.andThen(isSomeUntold.await, isSomeUntold.close)
      const notices = noticesOf(self, untold.take())
      yield* sql`SELECT pg_notify(${channel}::text, notice) FROM unnest(${notices}::text[]) AS notice`.pipe(
        Effect.catch((error) => {
          // Those who listen all the same are told with the next signal that there was something.
          untold.add(["anything"])
          return Effect.logDebug("Other processes were not told", error)
        })
      )
      yield* Effect.sleep(gathering)
    })

    const listening = listen({
      config: sql.config,
      channel,
      timeout,
      begun: local.notify(["anything"]),
      hear: ({ payload }) => local.notify(heardIn(payload, { self }))
    })

    yield* Effect.forkScoped(Effect.forever(tell))
    yield* listening.pipe(
      Effect.tapError((error) => Effect.logDebug("Other processes cannot be heard", error)),
      Effect.retry(listeningAgain),
      Effect.repeat(Schedule.spaced("100 millis")),
      Effect.forkScoped
    )

    const remember = (topics: ReadonlyArray<Topic>) =>
      Effect.sync(() => {
        if (topics.length === 0) return
        untold.add(topics)
        isSomeUntold.openUnsafe()
      })

    return Signals.of({
      notify: (topics) => Effect.andThen(local.notify(topics), remember(topics.filter(isForOthers))),
      subscribe: local.subscribe,
      queue: local.queue
    })
  })
).pipe(Layer.provide([InProcessSignals.layer, layerConnection]))

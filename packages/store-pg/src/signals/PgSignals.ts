/**
 * Signals among the processes that share a database. Who waits in this process
 * is woken at once; the others are told by NOTIFY, after the commit, in a
 * statement of its own. Like every signal a notice is a hint: while the
 * database is away notices are lost, and who waits looks again by itself.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as InProcessSignals from "@runhook/core/InProcessSignals"
import { Signals, type Topic } from "@runhook/core/ports/Signals"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Array from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"

const channel = "runhook_signals"

/** Notices gather for that long, so that a process sends at most a hundred bunches a second. */
const gathering = Duration.millis(10)

/** Topics in one notice: PostgreSQL takes 8,000 bytes. */
const topicsPerNotice = 150

/** Topics that wait to be told; the oldest are dropped when more come. */
const topicsWaitingMax = 5_000

/** Waits between attempts to listen again: from 100 ms doubling to 5 s. */
const listeningAgain = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

/** Needs a `PgClient` with connections to spare: one of them listens. */
export const layer = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const local = yield* Signals
    const sql = yield* PgClient.PgClient
    const self = yield* (yield* SecureRandom).uuidV7()
    const outgoing = yield* Queue.sliding<Topic>(topicsWaitingMax)

    const tell = Effect.gen(function* () {
      yield* Effect.sleep(gathering)
      const topics = new Set(yield* Queue.takeAll(outgoing))
      yield* Effect.forEach(Array.chunksOf(topics, topicsPerNotice), (told) =>
        sql.notify(channel, [self, ...told].join(" "))
      )
    }).pipe(Effect.catch((error) => Effect.logDebug("Other processes were not told", error)))

    const hear = Effect.gen(function* () {
      const notices = yield* sql.listen(channel)
      while (true) {
        const { payload } = yield* Queue.take(notices)
        const [origin, ...topics] = payload.split(" ")
        if (origin !== self) yield* local.notify(topics.filter(isTopic))
      }
    }).pipe(
      Effect.scoped,
      Effect.tapError((error) => Effect.logDebug("Not listening to other processes", error)),
      Effect.retry(listeningAgain)
    )

    yield* Effect.forkScoped(Effect.forever(tell))
    yield* Effect.forkScoped(hear)

    return Signals.of({
      notify: (topics) =>
        Effect.andThen(local.notify(topics), Queue.offerAll(outgoing, topics.filter(concernsOthers))),
      subscribe: local.subscribe
    })
  })
).pipe(Layer.provide(InProcessSignals.layer))

/** That this process stops is nobody else's business. */
const concernsOthers = (topic: Topic): boolean => topic !== "draining"

const isTopic = (text: string): text is Topic =>
  text === "deliveries" || /^(?:account|agent|execution|session):[0-9a-f-]{36}$/.test(text)

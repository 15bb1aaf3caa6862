/**
 * Signals among the processes that share a database. Who waits in this process
 * is woken at once, whatever becomes of the database; the others are told by
 * NOTIFY, after the commit, in a statement of its own. Like every signal a
 * notice is a hint: it may be lost, and a process that listens again wakes
 * everybody in it, since nobody knows what was told meanwhile.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { accountIn, anyOf, wordOf } from "@runhook/core/domain/account/AccountChange"
import { isChange, Signals, type Topic } from "@runhook/core/ports/Signals"
import * as InProcessSignals from "@runhook/core/runtime/InProcessSignals"
import * as Clock from "effect/Clock"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Client from "../connections/Client.ts"
import { DatabaseTimeout } from "../connections/Deadline.ts"
import { text, texts } from "../sql/Parameters.ts"
import { OtherListeners } from "./OtherListeners.ts"
import { listen } from "./Listening.ts"
import { channel, heardIn, isForOthers, noticesOf, type Word } from "./NotifyPayload.ts"
import { PendingNotifications } from "./PendingNotifications.ts"
import { saidEvery, RemoteWatchers } from "./RemoteWatchers.ts"

/** Pause after telling, in which topics gather: a process tells a hundred times a second at most. */
const gathering = Duration.millis(10)

/**
 * What may gather meanwhile: 84 notices in one statement, and of the changes of
 * one account what fits in one of them.
 */
const pendingLimits = { wordsMax: 5_000, changesOfAccountMax: 50 }

/** For what is still untold when the service stops. */
const lastWordsMax = Duration.seconds(1)

/** Waits between attempts to listen: from 100 ms doubling to 5 s, spread so that processes do not return all at once. */
const listeningAgain = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(
  Schedule.jittered
)

/** On a connection apart from those of the stores, so that neither waits for the other. */
const layerConnection = Layer.unwrap(
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const timeout = yield* DatabaseTimeout
    return PgClient.layerFrom(Client.make({ ...config, minConnections: 0, maxConnections: 1, timeout }))
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
    const pending = new PendingNotifications(pendingLimits)
    const isSomeUntold = Latch.makeUnsafe()
    const watchedElsewhere = new RemoteWatchers(yield* Clock.Clock)
    const audience = new OtherListeners()

    const remember = (words: ReadonlyArray<Word>) => {
      if (words.length === 0 || audience.isEmpty) return
      pending.add(words)
      isSomeUntold.openUnsafe()
    }

    const tellAll = Effect.gen(function* () {
      const notices = noticesOf(self, pending.take())
      if (notices.length === 0) return
      yield* sql`SELECT pg_notify(${text(channel)}, notice) FROM unnest(${texts(notices)}) AS notice`.pipe(
        // Those who listen all the same are told with the next signal that there was something.
        Effect.onError(() => Effect.sync(() => pending.add(["anything"]))),
        Effect.catch((error) => Effect.logDebug("Other processes were not told", error))
      )
    })
    const telling = Effect.gen(function* () {
      yield* Effect.andThen(isSomeUntold.await, isSomeUntold.close)
      yield* tellAll
      yield* Effect.sleep(gathering)
    })

    const listening = listen({
      config: sql.config,
      channel,
      timeout,
      audience,
      begun: Effect.suspend(() => {
        watchedElsewhere.listens()
        // Who began to watch while nobody was heard has not been told what changed here. Nor has anybody been told
        // what changed just before this process was killed, if it is one that was started again.
        remember(["changes_lost"])
        return local.notify(["anything"])
      }),
      hear: ({ payload }) => {
        const { topics, watched } = heardIn(payload, { self })
        if (topics.length + watched.length > 0 && audience.heard()) remember(["anything"])
        for (const accountId of watched) {
          // Changes of it were told to nobody until now.
          if (!watchedElsewhere.has(accountId)) remember(anyOf(accountId).map(wordOf))
          watchedElsewhere.heard(accountId)
        }
        return local.notify(topics)
      }
    })

    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(tellAll), lastWordsMax))
    yield* Effect.forkScoped(Effect.forever(telling))
    yield* listening.pipe(
      Effect.tapError((error) => Effect.logDebug("Other processes cannot be heard", error)),
      Effect.retry(listeningAgain),
      Effect.repeat(Schedule.spaced("100 millis")),
      Effect.forkScoped
    )

    const isToBeTold = (topic: Topic): topic is Exclude<Topic, "draining"> =>
      isChange(topic) ? watchedElsewhere.has(accountIn(topic)) : isForOthers(topic)

    return Signals.of({
      notify: (topics) =>
        Effect.andThen(
          local.notify(topics),
          Effect.sync(() => remember(topics.filter(isToBeTold)))
        ),
      mark: local.mark,
      isQuiet: local.isQuiet,
      subscribe: local.subscribe,
      queue: local.queue,
      watch: Effect.fnUntraced(function* (accountId, hear) {
        yield* local.watch(accountId, hear)
        yield* Effect.sync(() => remember([`watching:${accountId}`])).pipe(
          Effect.repeat(Schedule.spaced(saidEvery)),
          Effect.forkScoped
        )
      })
    })
  })
).pipe(Layer.provide([InProcessSignals.layer, layerConnection]))

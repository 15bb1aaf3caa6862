/**
 * Signals among the processes that share a database. Those who wait in this process are woken at once, even if the
 * database is away; others are notified after the commit, in a statement of its own. In a transaction that the caller
 * has open, all are notified in it, which PostgreSQL delivers at the commit and drops at a rollback. Like every signal,
 * a notification is a hint: it may be lost, and a process that listens again wakes everything in it, since it may have
 * missed some.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { accountIn, anyOf, wordOf } from "@runhook/core/accounts/AccountChange"
import { isChange, Signals, type Topic } from "@runhook/core/signals/Signals"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
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
import { orDefect } from "../sql/SqlErrors.ts"
import { isInTransaction } from "../engine/Transactions.ts"
import { OtherListeners } from "./OtherListeners.ts"
import { listen } from "./Listening.ts"
import { channel, heardIn, isForOthers, noticesOf, type Word } from "./NotifyPayload.ts"
import { PendingNotifications } from "./PendingNotifications.ts"
import { saidEvery, RemoteWatchers } from "./RemoteWatchers.ts"

/** Pause after sending, in which topics gather: a process sends a hundred times a second at most. */
const gathering = Duration.millis(10)

/**
 * What may gather meanwhile: 84 notices in one statement; changes of one account as far as they fit in one notice.
 */
const pendingLimits = { wordsMax: 5_000, changesOfAccountMax: 50 }

/** How long a stopping service takes to send the rest. */
const lastWordsMax = Duration.seconds(1)

/**
 * Pauses between attempts to listen: from 100 ms doubling to 5 s, with jitter so that processes do not return all at
 * once.
 */
const listeningAgain = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(
  Schedule.jittered
)

/** A connection apart from those of the stores, so that neither waits for the other. */
const layerConnection = Layer.unwrap(
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const timeout = yield* DatabaseTimeout
    return PgClient.layerFrom(Client.make({ ...config, minConnections: 0, maxConnections: 1, timeout }))
  })
)

/** No process has this name, so every process hears what a transaction sends. */
const transaction = "transaction"

const sendAll = (sql: PgClient.PgClient, notices: ReadonlyArray<string>) =>
  notices.length === 0
    ? Effect.void
    : Effect.asVoid(sql`SELECT pg_notify(${text(channel)}, notice) FROM unnest(${texts(notices)}) AS notice`)

/** The signals of a process whose stores have this client. */
const make = (stores: PgClient.PgClient) =>
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
      yield* sendAll(sql, noticesOf(self, pending.take())).pipe(
        // Processes that still listen are told with the next signal that there was something.
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
        // A watcher that came while this process could not listen was not told what changed here. Nor was anyone told
        // what changed just before a crash, if this process was restarted.
        remember(["changes_lost"])
        return local.notify(["anything"])
      }),
      hear: ({ payload }) => {
        const { topics, watched } = heardIn(payload, { self })
        if (topics.length + watched.length > 0 && audience.heard()) remember(["anything"])
        for (const accountId of watched) {
          // Until now its changes were sent to nobody.
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

    /** Each process tells endpoints of what it has stored itself. */
    const isToBeTold = (topic: Topic): topic is Exclude<Topic, "draining" | "endpoints"> =>
      topic !== "endpoints" && (isChange(topic) ? watchedElsewhere.has(accountIn(topic)) : isForOthers(topic))

    const notifyNow = (topics: ReadonlyArray<Topic>) =>
      Effect.andThen(
        local.notify(topics),
        Effect.sync(() => remember(topics.filter(isToBeTold)))
      )

    const notifyAtCommit = (topics: ReadonlyArray<Topic>) =>
      sendAll(stores, noticesOf(transaction, topics.filter(isForOthers)))

    return Signals.of({
      notify: (topics) =>
        Effect.flatMap(isInTransaction(stores), (isJoined) =>
          isJoined ? orDefect(notifyAtCommit(topics)) : notifyNow(topics)
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

/** Signals for the stores of a client, on two more connections to the same database. */
export const layer = Layer.unwrap(
  PgClient.PgClient.use((stores) =>
    Effect.succeed(
      Layer.provide(Layer.effect(Signals, make(stores)), [InProcessSignals.layer, layerConnection])
    )
  )
)

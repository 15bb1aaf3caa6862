/**
 * The parent of several workers. It serves nothing: it owns the service's own
 * database, starts the workers, and starts another when one ends.
 */
import { createServer } from "node:net"
import { atExit } from "@runhook/embedded-postgres/AtExit"
import { EmbeddedPostgres, layer as layerEmbedded } from "@runhook/embedded-postgres/EmbeddedPostgres"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { detailsOf } from "../logging/ListeningLog.ts"
import { StartupProblems } from "../process/StartupProblems.ts"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { mergedMetrics } from "./MergedMetrics.ts"
import * as WorkerSlot from "./WorkerSlot.ts"

/** Longest wait for stopping workers, after the notice: they end by themselves in ten seconds. */
const stopMax = Duration.seconds(12)

/** Workers that answer as one service, until it is told to stop. */
export const layer = (settings: ServerSettings) => Layer.effectDiscard(fleet(settings))

const fleet = Effect.fnUntraced(function* (settings: ServerSettings) {
  const port = yield* freePort(settings)
  const environment = { ...(yield* databaseOf(settings)), RUNHOOK_PORT: String(port) }
  const renewals = yield* hangups
  const places: Array<WorkerSlot.WorkerSlot> = []
  // A worker that hangs would not see that its parent is gone.
  yield* atExit(() => places.forEach(({ signal }) => signal("SIGKILL")))
  yield* Effect.addFinalizer(() => end(places, Duration.sum(settings.stopNotice, stopMax)))

  const add = Effect.gen(function* () {
    const number = places.length + 1
    const place = yield* WorkerSlot.make({
      place: number,
      environment,
      isOtherServing: () => places.some((other, index) => index + 1 !== number && other.isServing()),
      mergedMetrics: () => mergedMetrics(places.flatMap(({ measured }) => measured()))
    })
    places.push(place)
    return place
  })

  // The first one prepares the database, and finds what prevents a start.
  const first = yield* add
  const address = yield* Effect.mapError(
    first.begun,
    (how) => new StartupProblems({ problems: [`The first worker ended ${how} before it answered requests`] })
  )
  yield* Effect.logInfo("Listening", { ...address, ...detailsOf(settings), workers: settings.workers })
  while (places.length < settings.workers) yield* add
  for (const { keep } of places) yield* Effect.forkScoped(keep)

  const renewAll = Effect.gen(function* () {
    yield* Queue.take(renewals)
    yield* Effect.logInfo("Replacing the workers one after the other")
    for (const { renew } of places) if (!(yield* renew)) return
    yield* Effect.logInfo("All workers are replaced")
  })
  yield* Effect.forkScoped(Effect.forever(renewAll))
})

/** One for each SIGHUP that is still to be followed, and one at most. */
const hangups = Effect.gen(function* () {
  const queue = yield* Queue.sliding<void>(1)
  const hear = () => void Queue.offerUnsafe(queue, undefined)
  return yield* Effect.acquireRelease(
    Effect.sync(() => {
      process.on("SIGHUP", hear)
      return queue
    }),
    () => Effect.sync(() => process.off("SIGHUP", hear))
  )
})

const end = Effect.fnUntraced(function* (
  places: ReadonlyArray<WorkerSlot.WorkerSlot>,
  patience: Duration.Duration
) {
  yield* Effect.logInfo("Stopping")
  const allEnded = Effect.forEach(places, ({ ended }) => ended, { discard: true })
  for (const { signal } of places) signal("SIGTERM")
  yield* Effect.timeoutOption(allEnded, patience)
  for (const { signal } of places) signal("SIGKILL")
  yield* allEnded
})

/** To the workers, a database of the service's own is one like any other. */
const databaseOf = Effect.fnUntraced(function* ({ store }: ServerSettings) {
  if (store._tag !== "Embedded") return {}
  const services = yield* Layer.build(layerEmbedded({ directory: store.directory }))
  return { RUNHOOK_DATABASE_URL: Redacted.value(Context.get(services, EmbeddedPostgres).url) }
})

/** The port of the settings, or any free one, before anything is prepared; fails if it is not free. */
const freePort = ({ host, port }: ServerSettings): Effect.Effect<number, ServeError> =>
  Effect.callback((resume) => {
    const trial = createServer()
    trial.once("error", (cause) => resume(Effect.fail(new ServeError({ cause }))))
    trial.listen({ host, port }, () => {
      const address = trial.address()
      const found = typeof address === "object" ? address?.port : undefined
      trial.close(() => resume(Effect.succeed(found ?? port)))
    })
  })

/** One worker, as its parent sees it: from its beginning until its process is gone. */
import cluster from "node:cluster"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { type Address, beatEvery, type Order, Told } from "./Messages.ts"
import { closeUntaken } from "./UntakenConnections.ts"

export interface WorkerProcess {
  /** Its number among the workers, which its successor gets. */
  readonly place: number
  readonly pid: number | undefined
  /** Completes when it answers requests. */
  readonly serving: Deferred.Deferred<Address>
  /** Completes when its process is gone, and says how it ended. */
  readonly ended: Deferred.Deferred<string>
  /** The latest measurements that it has sent. */
  readonly metrics: () => string
  readonly signal: (name: NodeJS.Signals) => void
  /** Tells it that another has its place. */
  readonly retire: () => void
}

export interface Options {
  readonly place: number
  /** Whether others answer meanwhile: then it gets no requests before it is ready. */
  readonly isJoining: boolean
  readonly environment: Readonly<Record<string, string>>
  /** What all have measured. */
  readonly mergedMetrics: () => string
}

/** A worker that is silent for this many of the parent's beats hangs. */
const silentMax = 10

const isTold = Schema.is(Told)

/** Begins a worker. */
export const begin = Effect.fnUntraced(function* ({ environment, isJoining, mergedMetrics, place }: Options) {
  const serving = yield* Deferred.make<Address>()
  const ended = yield* Deferred.make<string>()
  let metrics = ""
  /** Null until it beats. */
  let silent: number | null = null

  const joins = isJoining ? { RUNHOOK_WORKER_JOINS: "yes" } : {}
  const worker = cluster.fork({ ...environment, ...joins, RUNHOOK_WORKER: String(place) })
  const { process: child } = worker
  closeUntaken(child)
  const signal = (name: NodeJS.Signals): void => void child.kill(name)
  const kill = () => signal("SIGKILL")
  worker.on("error", (cause) => {
    // If it never started, it only reports its end, handled below.
    if (child.pid === undefined)
      Deferred.doneUnsafe(ended, Effect.succeed(`before it began: ${String(cause)}`))
  })
  // Its process has ended, and all of its messages have arrived.
  child.once("close", (code, by) => {
    Deferred.doneUnsafe(ended, Effect.succeed(by === null ? `with exit code ${code}` : `by ${by}`))
  })

  const order = (told: Order): void => {
    if (worker.isConnected()) worker.send(told)
  }
  worker.on("message", (told: unknown) => {
    if (!isTold(told)) return
    if (told._tag === "Serving") return void Deferred.doneUnsafe(serving, Effect.succeed(told.address))
    metrics = told.metrics
    silent = 0
    if (told._tag === "MetricsAsked") order({ _tag: "MergedMetrics", id: told.id, metrics: mergedMetrics() })
  })

  const watch = Effect.gen(function* () {
    if (silent !== null) silent += 1
    if (silent !== silentMax) return
    yield* Effect.logError(
      `Worker ${place} hangs: nothing was heard of it for ${silentMax} s, and it is ended`
    )
    kill()
  })
  yield* Effect.repeat(watch, Schedule.spaced(beatEvery)).pipe(
    Effect.raceFirst(Deferred.await(ended)),
    Effect.forkScoped
  )
  const retire = () => order({ _tag: "Retire" })
  return {
    place,
    pid: child.pid,
    serving,
    ended,
    metrics: () => metrics,
    signal,
    retire
  } satisfies WorkerProcess
}, Effect.uninterruptible)

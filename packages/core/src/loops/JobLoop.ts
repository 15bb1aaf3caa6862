/** Carries out jobs until the scope ends, bite after bite. Any number of processes may, and a killed one loses nothing. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Signals, type Topic } from "../ports/Signals.ts"
import * as Loop from "../runtime/Loop.ts"

/** Jobs are looked for this often even without a signal, so a job of a killed process waits no longer. */
const lookEvery = Duration.seconds(5)

export const jobLoop = Effect.fnUntraced(function* <E, R>(options: {
  /** Does a bite of some job, and answers what is to be signalled; null if no job is at work. */
  readonly bite: Effect.Effect<ReadonlyArray<Topic> | null, E, R>
  /** The rest after a bite that took so long: what else the process does goes on. */
  readonly rest: (took: Duration.Duration) => Duration.Duration
  /** What is logged of a bite that failed. */
  readonly failure: string
}) {
  const signals = yield* Signals
  const woken = yield* signals.subscribe(["jobs"])
  const wait = Effect.timeoutOption(woken, lookEvery)

  const turn = Effect.gen(function* () {
    const [took, topics] = yield* Effect.timed(options.bite)
    if (topics === null) return yield* wait
    yield* signals.notify(topics)
    return yield* Effect.sleep(options.rest(took))
  })

  yield* Effect.forkScoped(Loop.forever(turn, { failure: options.failure, afterFailure: wait }))
})

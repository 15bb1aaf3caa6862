/** Carries out jobs until the scope ends, bite after bite. Any number of processes may, and a killed one loses nothing. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { jobsTried, waitAfterFailure } from "./Job.ts"
import type { JobName, JobQueue } from "./JobQueue.ts"
import { Signals, type Topic } from "../signals/Signals.ts"
import * as Loop from "../engine/Loop.ts"

export const jobLoop = Effect.fnUntraced(function* <Id extends string, E, R>(options: {
  readonly jobs: JobQueue<Id>
  /** Does a bite of a job, and answers what is to be signalled; null if it is not at work, or another process is at it. */
  readonly bite: (job: JobName<Id>, at: DateTime.Utc) => Effect.Effect<ReadonlyArray<Topic> | null, E, R>
  /** The rest after a bite that took so long: what else the process does goes on. */
  readonly rest: (took: Duration.Duration) => Duration.Duration
  /** What is logged of a bite that failed. */
  readonly failure: string
}) {
  const signals = yield* Signals
  const { bite, failure, jobs, rest } = options

  /** A job whose bite failed makes no other job wait: the next one is tried at once. */
  const trying = Effect.fnUntraced(function* (job: JobName<Id>) {
    const begunAt = yield* DateTime.now
    const putOff = Effect.gen(function* () {
      const at = yield* DateTime.now
      const by = waitAfterFailure(DateTime.distance(begunAt, at))
      return yield* Effect.as(jobs.putOff(job, { by, at }), null)
    })
    return yield* bite(job, begunAt).pipe(
      Loop.surviving(failure, putOff),
      Effect.annotateLogs({ job: job.id })
    )
  })

  const turn = Effect.gen(function* () {
    for (const job of yield* jobs.due({ limit: jobsTried, at: yield* DateTime.now })) {
      const [took, topics] = yield* Effect.timed(trying(job))
      if (topics === null) continue
      yield* signals.notify(topics)
      yield* Effect.sleep(rest(took))
      return Duration.zero
    }
    return Duration.infinity
  })

  yield* Loop.signalled({ topic: "jobs", turn, failure })
})

/** Follows an execution, or a job, to its end. */
import { type Account, isFinished } from "@runhook/sdk/admin"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { CommandFailed } from "../logging/Reporting.ts"
import { isForPeople, show } from "../output/Output.ts"
import { drawing, type Progress } from "../output/Progress.ts"
import { called } from "./AdminClient.ts"
import { print, visibleLine } from "../output/Writer.ts"

/** A service that is away for a while does not end it. */
export const patient = { retries: Infinity, timeoutMs: Infinity }

/** For each request, in seconds: less than the usual time-out of proxies. */
export const wait = 25

/** How an execution ended that was not completed: neither the command's failure nor a success. */
const endedOtherwise = 6

/** Prints each change, one a line. */
export const followed = Effect.fnUntraced(function* (account: Account, id: string) {
  const isText = yield* isForPeople
  for (let after = 0, isOver = false; !isOver;) {
    const { data } = yield* called((signal) =>
      account.executions.events(id, { after, wait }, { ...patient, signal })
    )
    for (const event of data) {
      const { at, attempt, data: details, sequence, status, type } = event
      const facts = details === null ? "" : `  ${JSON.stringify(details)}`
      yield* print(
        isText
          ? `${at}  ${type.padEnd(15)} ${status.padEnd(14)} attempt ${attempt}${facts}`
          : JSON.stringify(event)
      )
      after = sequence
      isOver = isFinished(event)
    }
  }
  yield* judged(yield* called(() => account.executions.get(id)))
})

/** Draws how far a job is until it is over, and shows what it did. */
export const jobFollowed = Effect.fnUntraced(function* <Job extends { readonly finished_at: string | null }>(
  look: () => Promise<Job>,
  progressOf: (job: Job) => Progress
) {
  const over = yield* drawing((draw) =>
    called(look).pipe(
      Effect.tap((job) => draw(progressOf(job))),
      Effect.repeat({
        schedule: Schedule.spaced("1 second"),
        until: ({ finished_at }) => finished_at !== null
      })
    )
  )
  yield* show(over)
})

/** Waits, and shows how it ended. */
export const awaited = Effect.fnUntraced(function* (account: Account, id: string) {
  const look = called((signal) => account.executions.get(id, { wait, ...patient, signal }))
  const execution = yield* Effect.repeat(look, { until: isFinished })
  yield* show(execution)
  yield* judged(execution)
})

const judged = ({
  error_message,
  execution_id,
  status,
  status_reason
}: {
  readonly execution_id: string
  readonly status: string
  readonly error_message: string | null
  readonly status_reason: string | null
}) => {
  const why = error_message ?? status_reason
  return status === "completed"
    ? Effect.void
    : new CommandFailed({
        reason: `Execution ${execution_id} ended as ${status}${why === null ? "" : `: ${visibleLine(why)}`}`,
        exitCode: endedOtherwise
      })
}

/** What a trace shows of an execution besides requests: for how long it waited, and for how long it ran. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import type { Execution } from "./Execution.ts"
import { spanOf } from "./Traceparent.ts"
import type { CountedChange } from "../usage/UsageOfChange.ts"

/** The tracer of this process, if it has one; without one, spans are not made at all. */
export const tracerOf: Effect.Effect<Tracer.Tracer | undefined> = Effect.withFiber(({ cache }) =>
  Effect.succeed(cache.tracerEnabled ? cache.tracer : undefined)
)

interface Phase {
  readonly name: string
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
}

/** The phase that a change ended; undefined for a create. */
const endedPhase = (execution: Execution, { counter, millis }: CountedChange): Phase | undefined => {
  const { createdAt, startedAt, stoppedAt, updatedAt } = execution
  if (counter === "started")
    return {
      name: "execution queued",
      from: DateTime.subtract(updatedAt, { milliseconds: millis ?? 0 }),
      until: updatedAt
    }
  if (stoppedAt === null) return undefined
  return startedAt === null
    ? { name: "execution queued", from: createdAt, until: stoppedAt }
    : { name: "execution running", from: startedAt, until: stoppedAt }
}

/** Gives a function that records, below the caller's span, what a stored change ended. */
export const make = Effect.map(tracerOf, (tracer) => (execution: Execution, counted: CountedChange): void => {
  if (tracer === undefined || execution.traceparent === null) return
  const caller = spanOf(execution.traceparent)
  const phase = caller.sampled ? endedPhase(execution, counted) : undefined
  if (phase === undefined) return
  const span = tracer.span({
    name: phase.name,
    parent: Option.some(caller),
    annotations: Context.empty(),
    links: [],
    startTime: nanosecondsOf(phase.from),
    kind: "internal",
    root: false,
    sampled: true
  })
  for (const [key, value] of Object.entries(attributesOf(execution))) span.attribute(key, value)
  span.end(nanosecondsOf(phase.until), exitOf(execution))
})

const attributesOf = ({ agentId, attempt, id, status, taskId }: Execution) => ({
  "runhook.execution.id": id,
  "runhook.execution.status": status,
  "runhook.execution.attempt": attempt,
  "runhook.task.id": taskId,
  "runhook.agent.id": agentId
})

/** A message may quote what the work is about, so a trace has none. */
const exitOf = ({ status }: Execution): Exit.Exit<void, string> =>
  status === "error" ? Exit.fail("The execution failed") : Exit.void

const nanosecondsOf = ({ epochMilliseconds }: DateTime.Utc): bigint =>
  BigInt(Math.round(epochMilliseconds)) * 1_000_000n

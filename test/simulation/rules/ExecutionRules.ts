/** What holds for executions, whatever goes wrong. Written by the specification, not by the code that it judges. */
import type { Execution } from "@runhook/core/executions/Execution"
import type { Run } from "@runhook/core/runs/Run"
import type { Step } from "../History.ts"
import { entriesOf, pairs, type Rule, storedRuns } from "./Transcript.ts"

type Status = Execution["status"]

const mayFollow: Readonly<Record<Status, ReadonlyArray<Status>>> = {
  pending: ["queued", "aborted", "cancelled"],
  queued: ["running", "aborted", "cancelled"],
  running: ["awaiting_input", "queued", "completed", "error", "cancelled", "aborted"],
  awaiting_input: ["running", "queued", "completed", "error", "cancelled", "aborted"],
  completed: [],
  error: [],
  cancelled: [],
  aborted: []
}

/** A create that was acknowledged is there, and one order made one execution. */
export const createsOnce: Rule = function* (transcript) {
  for (const { id, order } of entriesOf(transcript, "created"))
    if (transcript.tables.runs.get(id) === undefined)
      yield `${order} was acknowledged as ${id}, which is gone`
  const byReference = Map.groupBy(
    [...transcript.tables.runs.values()].filter(({ execution }) => execution.scheduleId === null),
    ({ execution }) => execution.reference
  )
  for (const [reference, { length }] of byReference)
    if (length > 1) yield `${reference} made ${length} executions`
}

/** An execution goes from status to status by the table, and what has ended stays as it ended. */
export const lifecycle: Rule = function* (transcript) {
  for (const [id, runs] of storedRuns(transcript))
    for (const [before, after] of pairs(runs)) {
      const [from, to] = [before.execution.status, after.execution.status]
      if (from !== to && !mayFollow[from].includes(to)) yield `${id} went from ${from} to ${to}`
      if (after.revision < before.revision) yield `${id} went back to revision ${after.revision}`
      if (after.execution.updatedAt.epochMilliseconds < before.execution.updatedAt.epochMilliseconds)
        yield `${id} went back in time`
    }
}

/** An epoch never falls, each claim has one of its own, and an end is of the attempt that holds the lease. */
export const fencing: Rule = function* (transcript) {
  for (const [id, runs] of storedRuns(transcript)) {
    const claims = new Map<number, string>()
    for (const [before, after] of pairs(runs)) {
      const { epoch, result, status } = after.execution
      if (epoch < before.execution.epoch) yield `${id} fell from epoch ${before.execution.epoch} to ${epoch}`
      const claim = after.lease && `${after.lease.sessionId} ${after.lease.claimId}`
      if (claim !== null && (claims.get(epoch) ?? claim) !== claim)
        yield `${id} was claimed twice under ${epoch}`
      if (claim !== null) claims.set(epoch, claim)
      const by = result?.value
      if (status === "completed" && (by?.["epoch"] !== epoch || by["executionId"] !== id))
        yield `${id} has, under epoch ${epoch}, the result of ${JSON.stringify(by)}`
      if (after.execution.attempt > after.execution.maxAttempts)
        yield `${id} was started ${after.execution.attempt} times of ${after.execution.maxAttempts}`
    }
  }
}

const isAs: Readonly<Record<Step, (run: Run, epoch: number) => boolean>> = {
  started: ({ execution, lease }, epoch) => execution.status === "running" && lease?.epoch === epoch,
  // A question that an earlier attempt has asked is found again if it was answered.
  awaiting_input: ({ execution, inputs }, epoch) => execution.epoch === epoch && inputs.length > 0,
  completed: ({ completion, execution }, epoch) =>
    execution.status === "completed" && completion?.epoch === epoch,
  failed: ({ completion, execution }, epoch) =>
    ["error", "queued"].includes(execution.status) && completion?.epoch === epoch
}

/** A step that a runner was told to have taken, it has taken, under its own epoch. */
export const acknowledged: Rule = function* (transcript) {
  const stored = storedRuns(transcript)
  for (const { epoch, id, step } of entriesOf(transcript, "acknowledged"))
    if (!stored.get(id)?.some((run) => isAs[step](run, epoch)))
      yield `${id} was never ${step} under ${epoch}, and its runner was told so`
}

/** Once faults stop, everything ends. */
export const liveness: Rule = function* ({ tables }) {
  for (const { execution } of tables.runs.values())
    if (mayFollow[execution.status].length > 0) yield `${execution.id} is still ${execution.status}`
  for (const { id, state } of tables.deliveries.values())
    if (state === "pending") yield `delivery ${id} is still ${state}`
}

/** A schedule that makes up for what it missed has made one execution for each due time. */
export const schedules: Rule = function* ({ tables }) {
  for (const { anchorAt, endsAt, everySeconds, id } of tables.schedules.values()) {
    if (endsAt === null || everySeconds === null) continue
    const span = endsAt.epochMilliseconds - anchorAt.epochMilliseconds
    const wanted = Math.floor(span / (everySeconds * 1_000))
    const made = [...tables.runs.values()].filter(({ execution }) => execution.scheduleId === id).length
    if (made !== wanted) yield `schedule ${id} made ${made} executions of ${wanted}`
  }
}

/** When a run changes by itself, unless it moves before: each time is null if that never happens. */
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { isUnstarted, type Run } from "./Run.ts"

type DueTime = (run: Run) => DateTime.Utc | null

/** Its lease runs out, unless its runner sends a heartbeat. */
export const leaseEnd: DueTime = ({ lease }) => lease && lease.expiresAt

/** Its attempt runs out of time. Time spent waiting for an answer is given back. */
export const deadline: DueTime = ({ deadlineAt, execution }) =>
  execution.status === "running" ? deadlineAt : null

/** Its question runs out of time. */
export const inputEnd: DueTime = ({ execution }) => execution.inputRequest && execution.inputRequest.expiresAt

/** It runs out of time to start. */
export const startEnd: DueTime = (run) => (isUnstarted(run) ? run.execution.expiresAt : null)

/** Sweeps find by themselves what is due later than this. */
export const soon = Duration.seconds(5)
const soonMillis = Duration.toMillis(soon)

const dueTimes = [leaseEnd, deadline, inputEnd, startEnd]

/** Whether something falls due so soon after the run's last change that sweeps need a signal. */
export const isDueSoon = (run: Run): boolean => {
  const unseen = run.execution.updatedAt.epochMilliseconds + soonMillis
  return dueTimes.some((timeOf) => {
    const time = timeOf(run)
    return time !== null && time.epochMilliseconds <= unseen
  })
}

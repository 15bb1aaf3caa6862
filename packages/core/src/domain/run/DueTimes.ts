/** When something is to happen to a run by itself, unless it moves before: each null when nothing is. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { isUnstarted, type Run } from "./Run.ts"

type DueTime = (run: Run) => DateTime.Utc | null

/** Its lease is lost, unless its runner is heard of. */
export const leaseEnd: DueTime = ({ lease }) => lease && lease.expiresAt

/** Its attempt has used up its time. That passes while it waits for an answer, but is given back. */
export const deadline: DueTime = ({ deadlineAt, execution }) =>
  execution.status === "running" ? deadlineAt : null

/** Nobody has answered in time. */
export const inputEnd: DueTime = ({ execution }) => execution.inputRequest && execution.inputRequest.expiresAt

/** It was never started in time. */
export const startEnd: DueTime = (run) => (isUnstarted(run) ? run.execution.expiresAt : null)

/** What sweepers find by themselves in time is not so soon. */
export const soon = Duration.seconds(5)

/** Whether something falls due so soon after the run's last change that sweepers must be told. */
export const isDueSoon = (run: Run): boolean => {
  const unseen = DateTime.addDuration(run.execution.updatedAt, soon)
  return [leaseEnd, deadline, inputEnd, startEnd].some((timeOf) => {
    const time = timeOf(run)
    return time !== null && DateTime.isLessThanOrEqualTo(time, unseen)
  })
}

/**
 * The status under which `execution_status` lists an execution. A running one stays listed as queued, which saves
 * every execution one of three updates there. Its slot says that it runs, and slots are few.
 */
import type { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"

export const listedAs = (status: ExecutionStatus): ExecutionStatus =>
  status === "running" ? "queued" : status

/** The lists that have executions in these statuses, and possibly others. */
export const listsOf = (statuses: ReadonlyArray<ExecutionStatus>): ReadonlyArray<ExecutionStatus> => [
  ...new Set(statuses.map(listedAs))
]

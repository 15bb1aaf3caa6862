/**
 * The status under which `execution_status` lists an execution. One that runs
 * stays listed as queued, which saves every execution one move out of three
 * there. Its slot says that it runs, and slots are few.
 */
import type { ExecutionStatus } from "@runhook/core/domain/execution/ExecutionStatus"

export const listedAs = (status: ExecutionStatus): ExecutionStatus =>
  status === "running" ? "queued" : status

/** Where executions of these statuses are listed, and maybe others with them. */
export const listsOf = (statuses: ReadonlyArray<ExecutionStatus>): ReadonlyArray<ExecutionStatus> => [
  ...new Set(statuses.map(listedAs))
]

/** Removes an execution that has ended, with everything that belongs to it. */
import { isTerminal } from "@runhook/core/executions/ExecutionStatus"
import type { Run } from "@runhook/core/runs/Run"
import { NotRemovable } from "@runhook/core/shared/Refusals"
import * as Iterable from "effect/Iterable"
import * as Result from "effect/Result"
import type { Tables } from "../MemoryDatabase.ts"

/** The run, unless something of it is yet to come. */
export const removable = (tables: Tables, run: Run): Result.Result<Run, NotRemovable> => {
  const { id, status } = run.execution
  if (!isTerminal(status)) return Result.fail(new NotRemovable({ id, reason: "unfinished" }))
  const isToBeTold = Iterable.some(tables.endpointNotes, ({ change }) => change.run.execution.id === id)
  return isToBeTold || tables.deliveries.ofExecution(id).some(({ state }) => state === "pending")
    ? Result.fail(new NotRemovable({ id, reason: "callbacks_pending" }))
    : Result.succeed(run)
}

export const removeExecution = (tables: Tables, run: Run): void => {
  const { accountId, id: executionId } = run.execution
  for (const delivery of tables.deliveries.ofExecution(executionId)) {
    tables.deliveries.delete(delivery)
    tables.attempts.delete(delivery.id)
  }
  for (const { id, sizeBytes, storageKey } of tables.artifacts.get(executionId) ?? []) {
    tables.artifactBytes.set(accountId, (tables.artifactBytes.get(accountId) ?? 0) - sizeBytes)
    tables.awaitedUploads.delete(id)
    tables.leftOvers.set(id, { accountId, id, storageKey })
  }
  tables.artifacts.delete(executionId)
  for (const [key, row] of tables.idempotency) {
    if (row.executionId === executionId) tables.idempotency.delete(key)
  }
  for (const note of tables.endpointNotes)
    if (note.change.run.execution.id === executionId) tables.endpointNotes.delete(note)
  tables.progress.delete(executionId)
  tables.logs.delete(executionId)
  tables.checkpoints.delete(executionId)
  tables.runs.delete(run)
}

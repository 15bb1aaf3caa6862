/** A claimed run, with what its runner must know of its task. */
import { Task, TaskVersion } from "@runhook/core/domain/catalog/Task"
import { Execution } from "@runhook/core/domain/execution/Execution"
import type { ClaimedRun } from "@runhook/core/ports/RunStore"
import * as Schema from "effect/Schema"
import { ofExecution, ofRun, runTable, type StoredRun } from "../executions/RunRow.ts"
import { both, type RowTable, rowTable } from "../rows/RowTable.ts"

/** Columns of an execution `e` and its request `r`, and of their task `t` and version `v`. */
const columns = {
  ...ofExecution,
  // Claimed and held runs have no result yet.
  result: "NULL::text",
  ...ofRun,
  slug: "t.slug",
  number: "v.number",
  paramsSchema: "v.params_schema"
}

/** What a runner must know of the task. */
const TaskFacts = Schema.Struct({
  taskId: Execution.fields.taskId,
  taskVersionId: Execution.fields.taskVersionId,
  slug: Task.fields.slug,
  number: TaskVersion.fields.number,
  paramsSchema: TaskVersion.fields.paramsSchema
})

/** A claimed run without what is kept elsewhere. */
export type Uncheckpointed = Omit<ClaimedRun, "checkpoint">

/** The run as it is stored, and as its runner gets it. */
export interface StoredClaim {
  readonly stored: StoredRun
  readonly claim: Uncheckpointed
}

export const claimTable: RowTable<StoredClaim> = both(
  runTable(columns),
  rowTable(columns, TaskFacts),
  (stored, { number, paramsSchema, slug, taskId, taskVersionId }) => ({
    stored,
    claim: {
      run: stored.run,
      task: { id: taskId, slug },
      version: { id: taskVersionId, number, paramsSchema }
    }
  })
)

/** A claimed run, with what its runner must know of its task. */
import { Task, TaskVersion } from "@runhook/core/catalog/Task"
import { Execution } from "@runhook/core/executions/Execution"
import type { ClaimedRun } from "@runhook/core/runs/RunStore"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { ofExecution, ofRun, runTable, type StoredRun } from "../executions/RunRow.ts"
import { both, columnOf, type RowTable, rowTable } from "../rows/RowTable.ts"
import { inBucket } from "../sql/Parameters.ts"
import { fixed, type InBucket } from "../sql/Statement.ts"

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

const tableOf = (of: typeof columns): RowTable<StoredClaim> =>
  both(
    runTable(of),
    rowTable(of, TaskFacts),
    (stored, { number, paramsSchema, slug, taskId, taskVersionId }) => ({
      stored,
      claim: {
        run: stored.run,
        task: { id: taskId, slug },
        version: { id: taskVersionId, number, paramsSchema }
      }
    })
  )

export const claimTable = tableOf(columns)

/** The same as a function in the database answers them, each under its own name. */
export const claimAnswer = tableOf(Record.map(columns, (_, name) => columnOf(name)))

/** The request, task and version of an execution `e`. Tasks and versions are never removed. */
export const taskOf = fixed<InBucket>`
  CROSS JOIN LATERAL (
    SELECT * FROM execution_requests r WHERE r.bucket = ${inBucket} AND r.id = e.id LIMIT 1
  ) AS r
  JOIN tasks t ON t.bucket = ${inBucket} AND t.account_id = r.account_id AND t.id = r.task_id
  JOIN task_versions v
    ON v.bucket = ${inBucket} AND v.account_id = r.account_id AND v.id = r.task_version_id`

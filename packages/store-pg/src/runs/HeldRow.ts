/** A run as a heartbeat answers it, read from one narrow row. */
import { Execution } from "@runhook/core/executions/Execution"
import type { HeldRun } from "@runhook/core/runs/Run"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { leaseOf, ofExecution, ofRun, RunFields } from "../executions/RunRow.ts"
import { both, type RowTable, rowTable } from "../rows/RowTable.ts"

const executionFields = ["agentId", "epoch", "errorMessage", "id", "status", "statusReason"] as const
const runFields = [
  "attemptEpoch",
  "claimId",
  "completionEpoch",
  "inputs",
  "leaseExpiresAt",
  "revision",
  "sessionId"
] as const

/** Columns of an execution `e` alone; of its questions only the last. */
const columns = {
  ...Struct.pick(ofExecution, executionFields),
  id: "e.id",
  agentId: "e.agent_id",
  ...Struct.pick(ofRun, runFields),
  inputs: "CASE WHEN e.inputs = '[]' THEN e.inputs ELSE jsonb_build_array(e.inputs -> -1) END"
}

export const heldTable: RowTable<HeldRun> = both(
  rowTable(columns, Schema.Struct(Struct.pick(Execution.fields, executionFields))),
  rowTable(columns, Schema.Struct(Struct.pick(RunFields.fields, runFields))),
  (execution, row) => ({
    execution,
    attemptEpoch: row.attemptEpoch,
    inputs: row.inputs,
    lease: leaseOf(execution, row),
    revision: row.revision,
    completion: row.completionEpoch === null ? null : { epoch: row.completionEpoch }
  })
)

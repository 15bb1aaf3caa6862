/** A run as its runner hears of it, of which one narrow row holds all. */
import type { HeldRun } from "@runhook/core/domain/Run"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { leaseOf, RunRow } from "./RunRow.ts"

export const HeldRow = Schema.Struct(
  Struct.pick(RunRow.fields, [
    "agentId",
    "attemptEpoch",
    "claimId",
    "completionEpoch",
    "epoch",
    "errorMessage",
    "id",
    "inputs",
    "leaseExpiresAt",
    "revision",
    "sessionId",
    "status",
    "statusReason"
  ])
)
export type HeldRow = typeof HeldRow.Type

/** Its columns, of an execution `e`; of its questions the last. */
export const heldColumns = `
  e.id, e.agent_id AS "agentId", e.status, e.status_reason AS "statusReason", e.error_message AS "errorMessage",
  e.epoch, e.revision, e.session_id AS "sessionId", e.claim_id AS "claimId",
  e.lease_expires_at AS "leaseExpiresAt", e.attempt_epoch AS "attemptEpoch",
  e.completion_epoch AS "completionEpoch",
  CASE WHEN e.inputs = '[]' THEN e.inputs ELSE jsonb_build_array(e.inputs -> -1) END AS inputs`

export const heldRunOf = (row: HeldRow): HeldRun => ({
  attemptEpoch: row.attemptEpoch,
  inputs: row.inputs,
  lease: leaseOf(row),
  revision: row.revision,
  execution: Struct.pick(row, ["agentId", "epoch", "errorMessage", "id", "status", "statusReason"]),
  completion: row.completionEpoch === null ? null : { epoch: row.completionEpoch }
})

/** What few moves change besides the state of the run: null where it stays as it is. */
import { listedAs } from "../../executions/list/ListedStatus.ts"
import { InputsJson } from "../../executions/RunRow.ts"
import * as Schema from "effect/Schema"
import { integer, json, jsonb, smallint, text, timestamptz } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import type { Step } from "./Move.ts"

const execution = ({ change }: Step) => change.run.execution

const encodeInputs = Schema.encodeSync(Schema.fromJsonString(InputsJson))

/** Whether a caller has changed when or in which order it runs. */
const isRescheduled = ({ before, change }: Step): boolean => {
  const [was, is] = [before.run.execution, change.run.execution]
  return was.priority !== is.priority || was.scheduledAt !== is.scheduledAt || was.expiresAt !== is.expiresAt
}

/** The status under which the run is listed from now on; null if that does not change. */
const listedAnew = ({ before, change }: Step): string | null => {
  const listed = listedAs(change.run.execution.status)
  return listed === listedAs(before.run.execution.status) ? null : listed
}

export const changeColumns: Columns<Step> = {
  inputs: jsonb(({ before, change }) =>
    before.run.inputs === change.run.inputs ? null : encodeInputs(change.run.inputs)
  ),
  priority: smallint((step) => (isRescheduled(step) ? execution(step).priority : null)),
  scheduled_at: timestamptz((step) => (isRescheduled(step) ? execution(step).scheduledAt : null)),
  expires_at: timestamptz((step) => (isRescheduled(step) ? execution(step).expiresAt : null)),
  freed_slot: integer(({ before, change }) => (change.run.lease === null ? before.slot : null)),
  listed_as: text(listedAnew),
  result: json((step) => execution(step).result?.text ?? null),
  result_bytes: integer((step) => execution(step).result?.bytes ?? null)
}

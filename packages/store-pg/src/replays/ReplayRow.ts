/** Rows of replay jobs. */
import { ReplayFilter, ReplayJob } from "@runhook/core/replays/ReplayJob"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { columnsOf, listOf } from "../rows/RowTable.ts"

export const ReplayRow = Schema.Struct({
  ...Struct.omit(ReplayJob.fields, ["filter"]),
  ...ReplayFilter.fields
})

/** The columns of a `ReplayRow`, from a job `j` and its outcomes `o`. */
export const replayColumns = listOf(
  columnsOf(ReplayRow, "j.", {
    text: "j.mention",
    from: "j.created_from",
    to: "j.created_to",
    delivered: "o.delivered",
    failed: "o.failed"
  })
)

export const replayOf = ({
  agentIds,
  answer,
  apiKeyId,
  cause,
  endpointId,
  executionId,
  from,
  ids,
  lastOnly,
  origin,
  states,
  taskIds,
  text,
  to,
  type,
  ...job
}: typeof ReplayRow.Type): ReplayJob => ({
  ...job,
  filter: {
    states,
    type,
    apiKeyId,
    endpointId,
    executionId,
    taskIds,
    agentIds,
    answer,
    cause,
    origin,
    text,
    from,
    to,
    ids,
    lastOnly
  }
})

/** The columns of a new job, whose outcomes are elsewhere. */
export const replayRowOf = (job: ReplayJob) => {
  const { from, text, to, ...others } = job.filter
  return {
    ...Struct.omit(job, ["delivered", "failed", "filter"]),
    ...others,
    mention: text,
    createdFrom: from,
    createdTo: to
  }
}

/** Replay jobs as their rows hold them. */
import { ReplayFilter, ReplayJob } from "@runhook/core/domain/delivery/ReplayJob"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

export const ReplayRow = Schema.Struct({
  ...Struct.omit(ReplayJob.fields, ["filter"]),
  ...ReplayFilter.fields
})

/** The columns of a `ReplayRow`, of a job `j` with its outcomes `o`. */
export const replayColumns = `
  j.id, j.account_id AS "accountId", j.states, j.type, j.api_key_id AS "apiKeyId",
  j.execution_id AS "executionId", j.answer, j.cause, j.origin, j.mention AS text, j.created_from AS "from", j.created_to AS "to",
  j.ids, j.last_only AS "lastOnly", j.status, j.expected, j.replayed, o.delivered, o.failed, j.last_seen_id AS "lastSeenId", j.created_at AS "createdAt",
  j.updated_at AS "updatedAt", j.finished_at AS "finishedAt"`

export const replayOf = ({
  answer,
  apiKeyId,
  cause,
  executionId,
  from,
  ids,
  lastOnly,
  origin,
  states,
  text,
  to,
  type,
  ...job
}: typeof ReplayRow.Type): ReplayJob => ({
  ...job,
  filter: { states, type, apiKeyId, executionId, answer, cause, origin, text, from, to, ids, lastOnly }
})

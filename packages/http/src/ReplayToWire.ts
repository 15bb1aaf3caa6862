/** Replays of many deliveries, between the wire and the domain. */
import type { ReplayBody, ReplayDetail } from "@runhook/contract/wire/ReplayWire"
import type { ApiKeyId } from "@runhook/core/domain/Ids"
import type { ReplayFilter, ReplayJob } from "@runhook/core/domain/ReplayJob"

/** What a body asks for, of the deliveries of a key, or of any when that is null. */
export const replayFilter = (
  body: typeof ReplayBody.Type | null,
  apiKeyId: ApiKeyId | null
): ReplayFilter => ({
  states: body?.status ?? ["dead"],
  type: body?.type ?? null,
  apiKeyId,
  executionId: body?.execution_id ?? null,
  text: body?.q ?? null,
  from: body?.from ?? null,
  to: body?.to ?? null
})

export const replayDetail = (
  { filter, ...job }: ReplayJob,
  request_id: string
): typeof ReplayDetail.Type => ({
  id: job.id,
  status: job.status,
  replayed: job.replayed,
  filter: {
    status: filter.states,
    type: filter.type,
    execution_id: filter.executionId,
    q: filter.text,
    from: filter.from,
    to: filter.to
  },
  created_at: job.createdAt,
  updated_at: job.updatedAt,
  finished_at: job.finishedAt,
  request_id
})

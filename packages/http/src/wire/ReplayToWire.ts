/** Replays of many deliveries, between the wire and the domain. */
import type { AdminReplayBody, ReplayBody, ReplayItem, WouldReplay } from "@runhook/contract/wire/ReplayWire"
import {
  allDead,
  type ReplayFilter,
  type ReplayJob,
  waitingOf
} from "@runhook/core/domain/delivery/ReplayJob"
import type { ReplayPreview } from "@runhook/core/domain/delivery/ReplayPreview"
import type { ApiKeyId } from "@runhook/core/domain/Ids"

type Body = typeof ReplayBody.Type | typeof AdminReplayBody.Type | null

/** What a body asks for, of the deliveries of a key, or of any when that is null. */
export const replayFilter = (body: Body, apiKeyId: ApiKeyId | null): ReplayFilter => ({
  states: body?.status ?? allDead.states,
  type: body?.type ?? null,
  apiKeyId,
  executionId: body?.execution_id ?? null,
  answer: body?.answer ?? null,
  cause: body?.cause ?? null,
  origin: body?.url_origin ?? null,
  text: body?.q ?? null,
  from: body?.from ?? null,
  to: body?.to ?? null,
  ids: body?.ids ?? null,
  lastOnly: body?.last_only ?? allDead.lastOnly
})

/** Whether a body only asks what a replay would do. */
export const isDryRun = (body: Body): boolean => body?.dry_run === true

export const wouldReplay = (preview: ReplayPreview): Omit<typeof WouldReplay.Type, "request_id"> => ({
  would_replay: preview.wouldReplay,
  is_more: preview.isMore,
  origins: preview.origins,
  types: Object.fromEntries(preview.types),
  oldest_at: preview.oldestAt,
  newest_at: preview.newestAt
})

export const replayItem = (job: ReplayJob): typeof ReplayItem.Type => ({
  id: job.id,
  status: job.status,
  expected: job.expected,
  replayed: job.replayed,
  delivered: job.delivered,
  failed: job.failed,
  waiting: waitingOf(job),
  filter: filterOf(job.filter),
  created_at: job.createdAt,
  updated_at: job.updatedAt,
  finished_at: job.finishedAt
})

const filterOf = (filter: ReplayFilter): (typeof ReplayItem.Type)["filter"] => ({
  status: filter.states,
  type: filter.type,
  execution_id: filter.executionId,
  key_id: filter.apiKeyId,
  answer: filter.answer,
  cause: filter.cause,
  url_origin: filter.origin,
  q: filter.text,
  from: filter.from,
  to: filter.to,
  ids: filter.ids,
  last_only: filter.lastOnly
})

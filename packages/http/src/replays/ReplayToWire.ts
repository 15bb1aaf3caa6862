/** Replays of many deliveries, between the wire and the domain. */
import {
  AcceptedFilter,
  type AdminReplayBody,
  type ReplayBody,
  ReplayItem,
  WouldReplay
} from "@runhook/contract/replays/ReplayWire"
import { allDead, type ReplayFilter, type ReplayJob, waitingOf } from "@runhook/core/replays/ReplayJob"
import type { ReplayPreview } from "@runhook/core/replays/ReplayPreview"
import type { ApiKeyId } from "@runhook/core/shared/Ids"
import type { KeyScope } from "@runhook/core/keys/KeyScope"
import { showing } from "../shared/Names.ts"

type Body = typeof ReplayBody.Type | typeof AdminReplayBody.Type | null

/** What a body asks for within a scope, of the deliveries of a key, or of any when that is null. */
export const replayFilter = (
  body: Body,
  { apiKeyId, scope }: { readonly apiKeyId: ApiKeyId | null; readonly scope: KeyScope }
): ReplayFilter => ({
  states: body?.status ?? allDead.states,
  type: body?.type ?? null,
  apiKeyId,
  endpointId: body?.endpoint_id ?? null,
  executionId: body?.execution_id ?? null,
  ...scope,
  answer: body?.answer ?? null,
  cause: body?.cause ?? null,
  origin: body?.url_origin ?? null,
  text: body?.q ?? null,
  from: body?.from ?? null,
  to: body?.to ?? null,
  ids: body?.ids ?? null,
  lastOnly: body?.last_only ?? allDead.lastOnly
})

export const wouldReplay = showing(WouldReplay)<ReplayPreview>({
  types: ({ types }) => Object.fromEntries(types)
})

const acceptedFilter = showing(AcceptedFilter)<ReplayFilter>({
  status: ({ states }) => states,
  key_id: ({ apiKeyId }) => apiKeyId,
  url_origin: ({ origin }) => origin,
  q: ({ text }) => text
})

export const replayItem = showing(ReplayItem)<ReplayJob>({
  waiting: waitingOf,
  filter: ({ filter }) => acceptedFilter(filter)
})

/** What callers with a key and members of an account do with replays of many deliveries. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import type { pageQuery } from "@runhook/contract/shared/Envelope"
import type { AdminReplayBody } from "@runhook/contract/replays/ReplayWire"
import type { ReplayId } from "@runhook/core/shared/Ids"
import { Replays } from "@runhook/core/replays/Replays"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"
import { replayFilter, replayItem, wouldReplay } from "./ReplayToWire.ts"
import {
  type Audience,
  keyHolder,
  makeMembers,
  type Of,
  type OfOne,
  type Queried
} from "../shared/Audience.ts"

const replayHandlers = Effect.fnUntraced(function* <Path, R>(who: Audience<Path, never, R>) {
  const replays = yield* Replays

  const ownerOf = (path: Path) => who.ownerOf(path, "webhooks:replay")

  const refOf = (params: OfOne<Path, ReplayId>["params"]) =>
    Effect.map(ownerOf(params), (owner) => ({ ...owner, id: params.id }))

  return {
    begin: Effect.fnUntraced(function* ({
      params,
      payload
    }: Of<Path> & { readonly payload: typeof AdminReplayBody.Type | null }) {
      const { accountId, apiKeyId, scope } = yield* ownerOf(params)
      const filter = replayFilter(payload, { apiKeyId: apiKeyId ?? payload?.key_id ?? null, scope })
      const { hidesQueries } = yield* who.visibilityOf(accountId)
      if (payload?.dry_run === true)
        return wouldReplay(yield* replays.preview(accountId, { ...filter, hidesQueries }))
      yield* who.changing(accountId)
      return replayItem(yield* replays.begin(accountId, filter))
    }, toApiError),

    list: Effect.fnUntraced(function* ({ params, query }: Of<Path> & Queried<typeof pageQuery>) {
      const owner = yield* ownerOf(params)
      const { replay } = yield* who.visibilityOf(owner.accountId)
      const page = yield* replays.list(owner, pageRequest(query))
      return yield* pageBody(page, (job) => replay(replayItem(job)))
    }, toApiError),

    get: Effect.fnUntraced(function* ({ params }: OfOne<Path, ReplayId>) {
      const ref = yield* refOf(params)
      const { replay } = yield* who.visibilityOf(ref.accountId)
      return replay(replayItem(yield* replays.get(ref)))
    }, toApiError),

    cancel: Effect.fnUntraced(function* ({ params }: OfOne<Path, ReplayId>) {
      return replayItem(yield* replays.cancel(yield* refOf(params)))
    }, toApiError)
  }
})

export const ReplayHandlers = handlersOf(
  IntegrationApi,
  "replays",
  Effect.fnUntraced(function* (handle) {
    return handle(yield* replayHandlers(keyHolder))
  })
)

export const AdminReplayHandlers = handlersOf(
  AdminApi,
  "replays",
  Effect.fnUntraced(function* (handle) {
    return handle(yield* replayHandlers(yield* makeMembers))
  })
)

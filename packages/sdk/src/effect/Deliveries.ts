/** What became of the webhooks of the key. */
import type * as Effect from "effect/Effect"
import { pathOf } from "../call/Request.ts"
import type {
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryReplayed,
  Replay,
  ReplayDeliveries,
  WouldReplay
} from "../wire/Integration.ts"
import type { RunhookError } from "./Errors.ts"
import { listOf } from "./List.ts"
import { makeReplays, type Replays } from "./Replays.ts"
import type { Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"

export const makeDeliveries = (send: Send) => {
  const replays: Replays = makeReplays(send)
  const { list, page } = listOf<Delivery, DeliveryFilter>(send, "/webhooks/deliveries")
  return {
    /** Streams the deliveries of the key, newest first. */
    list,

    /** One page of the deliveries of the key, newest first. */
    page,

    /** One delivery with its payload and every attempt. */
    get: (id: string, options?: CallOptions): Effect.Effect<DeliveryDetail, RunhookError> =>
      send({ method: "GET", path: pathOf`/webhooks/deliveries/${id}` }, options),

    /** Sends a settled delivery again: same event id, same body, signed afresh. */
    replay: (id: string, options?: CallOptions): Effect.Effect<DeliveryReplayed, RunhookError> =>
      send({ method: "POST", path: pathOf`/webhooks/deliveries/${id}/replay` }, options),

    /**
     * Begins to send again every delivery that matches and is settled by now, the
     * dead ones unless told otherwise. `replays` follows how far that has come.
     */
    replayAll: (filter: ReplayDeliveries = {}, options?: CallOptions): Effect.Effect<Replay, RunhookError> =>
      send({ method: "POST", path: "/webhooks/replays", body: filter }, options),

    /** What `replayAll` would do: how many deliveries it would send again, to whom. Changes nothing. */
    wouldReplay: (
      filter: ReplayDeliveries = {},
      options?: CallOptions
    ): Effect.Effect<WouldReplay, RunhookError> =>
      send(
        { method: "POST", path: "/webhooks/replays", body: { ...filter, dry_run: true }, repeatable: true },
        options
      ),

    /** The jobs that `replayAll` begins. */
    replays
  }
}

export type Deliveries = ReturnType<typeof makeDeliveries>

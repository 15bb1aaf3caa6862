/** What became of the webhooks of the key. */
import type { Call } from "../call/Answer.ts"
import type { Clock } from "../call/Clock.ts"
import { type List, listOf } from "../call/List.ts"
import { pathOf } from "../call/Request.ts"
import type { Send } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type {
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryReplayed,
  Replay,
  ReplayDeliveries,
  WouldReplay
} from "../wire/Integration.ts"
import { makeReplays, type Replays } from "./Replays.ts"

export const makeDeliveries = (send: Send, clock: Clock) => {
  const replays: Replays = makeReplays(send, clock)
  return {
    /**
     * Deliveries of the key, newest first.
     *
     * @example
     * ```ts
     * for await (const { id, type } of runhook.deliveries.list({ status: "dead" })) console.log(id, type)
     * ```
     */
    list: (filter?: DeliveryFilter, options?: CallOptions): List<Delivery> =>
      listOf(send, "/webhooks/deliveries", { filter, options }),

    /**
     * One delivery with its payload and every attempt.
     *
     * @example
     * ```ts
     * const { attempts_log } = await runhook.deliveries.get(id)
     * ```
     */
    get: (id: string, options?: CallOptions): Call<DeliveryDetail> =>
      send({ method: "GET", path: pathOf`/webhooks/deliveries/${id}` }, options),

    /**
     * Sends a settled delivery again: same event id, same body, signed afresh.
     *
     * @example
     * ```ts
     * await runhook.deliveries.replay(id)
     * ```
     */
    replay: (id: string, options?: CallOptions): Call<DeliveryReplayed> =>
      send({ method: "POST", path: pathOf`/webhooks/deliveries/${id}/replay` }, options),

    /**
     * Begins to send again every delivery that matches and is settled by now, the
     * dead ones unless told otherwise. `replays` follows how far that has come.
     *
     * @example
     * ```ts
     * const { id } = await runhook.deliveries.replayAll({ from: "2026-03-07T00:00:00Z" })
     * const { replayed } = await runhook.deliveries.replays.waitFor(id)
     * ```
     */
    replayAll: (filter: ReplayDeliveries = {}, options?: CallOptions): Call<Replay> =>
      send({ method: "POST", path: "/webhooks/replays", body: filter }, options),

    /**
     * What `replayAll` would do: how many deliveries it would send again, to whom. Changes nothing.
     *
     * @example
     * ```ts
     * const { would_replay } = await runhook.deliveries.wouldReplay({ last_only: true })
     * ```
     */
    wouldReplay: (filter: ReplayDeliveries = {}, options?: CallOptions): Call<WouldReplay> =>
      send(
        { method: "POST", path: "/webhooks/replays", body: { ...filter, dry_run: true }, repeatable: true },
        options
      ),

    /** The jobs that `replayAll` begins. */
    replays
  }
}

export type Deliveries = ReturnType<typeof makeDeliveries>

/** Webhook deliveries, attempt by attempt, and how to send them again. */
import type {
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryReplayed,
  Replay,
  ReplayDeliveries,
  WouldReplay
} from "../wire/Integration.ts"
import type { Client, ClientTypes, IntegrationClient } from "./Client.ts"
import { get, idempotentPost, list, pathOf, post } from "./Describe.ts"
import { replays } from "./Replays.ts"

/** Their path and filters in an API. */
export interface DeliveryTypes {
  readonly filter: DeliveryFilter
  readonly replay: ReplayDeliveries
}

/** The calls that the integration API and the admin API have in common, under their own paths. */
export const deliveryCalls = <T extends ClientTypes, Chosen extends DeliveryTypes>(
  client: Client<T>,
  { replaysRoot, root }: { readonly root: string; readonly replaysRoot: string }
) => ({
  /**
   * Deliveries, newest first.
   *
   * @example
   * ```ts
   * for await (const { id, type } of runhook.deliveries.list({ status: "dead" })) console.log(id, type)
   * ```
   */
  list: (filter?: Chosen["filter"], options?: T["options"]) =>
    client.list<Delivery>(list(root, filter, options)),

  /**
   * One delivery with its payload and its latest attempts.
   *
   * @example
   * ```ts
   * const { attempts_log } = await runhook.deliveries.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<DeliveryDetail>(get(root + pathOf`/${id}`, options)),

  /**
   * Sends a settled delivery again: same event id, same body, signed afresh.
   *
   * @example
   * ```ts
   * await runhook.deliveries.replay(id)
   * ```
   */
  replay: (id: string, options?: T["options"]) =>
    client.call<DeliveryReplayed>(post(root + pathOf`/${id}/replay`, undefined, options)),

  /**
   * Begins to send again every delivery that matches and is settled by now, the dead ones unless told otherwise.
   * `replays` follows how far that has come.
   *
   * @example
   * ```ts
   * const { id } = await runhook.deliveries.replayAll({ from: "2026-03-07T00:00:00Z" })
   * ```
   */
  replayAll: (filter: Chosen["replay"] = {}, options?: T["options"]) =>
    client.call<Replay>(post(replaysRoot, filter, options)),

  /**
   * What `replayAll` would do: how many deliveries it would send again, to whom. Changes nothing.
   *
   * @example
   * ```ts
   * const { would_replay } = await runhook.deliveries.wouldReplay({ last_only: true })
   * ```
   */
  wouldReplay: (filter: Chosen["replay"] = {}, options?: T["options"]) =>
    client.call<WouldReplay>(idempotentPost(replaysRoot, { ...filter, dry_run: true }, options))
})

interface OfOneKey extends DeliveryTypes {
  readonly filter: DeliveryFilter
  readonly replay: ReplayDeliveries
}

interface WithReplays<T extends ClientTypes> {
  /** The jobs that `replayAll` begins. */
  readonly replays: ReturnType<typeof replays<T>>
}

export const deliveries = <T extends ClientTypes>(
  client: IntegrationClient<T>
): ReturnType<typeof deliveryCalls<T, OfOneKey>> & WithReplays<T> => ({
  ...deliveryCalls<T, OfOneKey>(client, { root: "/webhooks/deliveries", replaysRoot: "/webhooks/replays" }),
  replays: replays(client)
})

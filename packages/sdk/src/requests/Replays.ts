/** Follow replays of many deliveries. */
import type { PageQuery, Replay, ReplayJob } from "../wire/Integration.ts"
import type { Client, ClientTypes, IntegrationClient } from "./Client.ts"
import { get, idempotentPost, list, pathOf } from "./Describe.ts"

/** The calls that the integration API and the admin API have in common. */
export const replayCalls = <T extends ClientTypes>(client: Client<T>) => ({
  /**
   * Replays, newest first. Each is forgotten 30 days after its end.
   *
   * @example
   * ```ts
   * for await (const { id, status } of runhook.deliveries.replays.list()) console.log(id, status)
   * ```
   */
  list: (page?: PageQuery, options?: T["options"]) =>
    client.list<ReplayJob>(list("/webhooks/replays", page, options)),

  /**
   * The progress of a replay.
   *
   * @example
   * ```ts
   * const { expected, replayed } = await runhook.deliveries.replays.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<Replay>(get(pathOf`/webhooks/replays/${id}`, options)),

  /**
   * Stops a replay; what it has replayed stays replayed. A finished one is unchanged.
   *
   * @example
   * ```ts
   * await runhook.deliveries.replays.cancel(id)
   * ```
   */
  cancel: (id: string, options?: T["options"]) =>
    client.call<Replay>(idempotentPost(pathOf`/webhooks/replays/${id}/cancel`, undefined, options))
})

const replayWaits = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * Waits until the replay is completed or cancelled. The wait has no limit unless it is given one, and goes on while
   * the service is away.
   *
   * @example
   * ```ts
   * const { replayed } = await runhook.deliveries.replays.waitFor(id)
   * ```
   */
  waitFor: (id: string, options?: T["waitOptions"]) =>
    client.wait<Replay>({
      name: `Replay ${id}`,
      look: get(pathOf`/webhooks/replays/${id}`, options),
      isOver: ({ finished_at }) => finished_at !== null
    })
})

export const replays = <T extends ClientTypes>(
  client: IntegrationClient<T>
): ReturnType<typeof replayCalls<T>> & ReturnType<typeof replayWaits<T>> => ({
  ...replayCalls(client),
  ...replayWaits(client)
})

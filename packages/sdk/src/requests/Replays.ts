/** Follow replays of many deliveries. */
import type { PageQuery, Replay, ReplayJob } from "../wire/Integration.ts"
import type { Client, ClientTypes, IntegrationClient } from "./Client.ts"
import { list } from "./Describe.ts"
import { jobCalls, jobs } from "./Jobs.ts"

const root = "/webhooks/replays"

const replayList = <T extends ClientTypes>(client: Client<T>) => ({
  /**
   * Replays, newest first. Each is forgotten 30 days after its end.
   *
   * @example
   * ```ts
   * for await (const { id, status } of runhook.deliveries.replays.list()) console.log(id, status)
   * ```
   */
  list: (page?: PageQuery, options?: T["options"]) => client.list<ReplayJob>(list(root, page, options))
})

/** The calls that the integration API and the admin API have in common. */
export const replayCalls = <T extends ClientTypes>(
  client: Client<T>
): ReturnType<typeof replayList<T>> & ReturnType<typeof jobCalls<T, Replay>> => ({
  ...replayList(client),
  ...jobCalls<T, Replay>(client, root)
})

export const replays = <T extends ClientTypes>(
  client: IntegrationClient<T>
): ReturnType<typeof replayList<T>> & ReturnType<typeof jobs<T, Replay>> => ({
  ...replayList(client),
  ...jobs<T, Replay>(client, root, "Replay")
})

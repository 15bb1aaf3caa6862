/** Follow how far the replay of many deliveries has come. */
import type { Call } from "../call/Answer.ts"
import type { Clock } from "../call/Clock.ts"
import { type List, listOf } from "../call/List.ts"
import { pathOf } from "../call/Request.ts"
import type { Send } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type { PageQuery, Replay, ReplayJob } from "../wire/Integration.ts"
import type { WaitOptions } from "./Executions.ts"
import { waitUntil } from "./Waiting.ts"

export const makeReplays = (send: Send, clock: Clock) => {
  const get = (id: string, options?: CallOptions): Call<Replay> =>
    send({ method: "GET", path: pathOf`/webhooks/replays/${id}` }, options)

  return {
    /** The replays of the key, newest first. Each is forgotten 30 days after its end. */
    list: (page?: PageQuery, options?: CallOptions): List<ReplayJob> =>
      listOf(send, "/webhooks/replays", { filter: page, options }),

    /** How far a replay has come. */
    get,

    /** Stops a replay; what it has replayed stays so. One that is finished stays as it is. */
    cancel: (id: string, options?: CallOptions): Call<Replay> =>
      send({ method: "POST", path: pathOf`/webhooks/replays/${id}/cancel`, repeatable: true }, options),

    /** Waits until the replay is completed or cancelled. Its other limits hold for each look. */
    waitFor: (id: string, { waitMs, ...options }: Omit<WaitOptions, "until"> = {}): Promise<Replay> =>
      waitUntil(clock, {
        name: `Replay ${id}`,
        waitMs,
        signal: options.signal,
        look: (signal) => get(id, { ...options, signal }),
        isOver: ({ finished_at }) => finished_at !== null
      })
  }
}

export type Replays = ReturnType<typeof makeReplays>

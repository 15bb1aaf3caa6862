/** Follow how far the replay of many deliveries has come. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { pathOf } from "../call/Request.ts"
import { lookMs } from "../resources/Finished.ts"
import type { PageQuery, Replay, ReplayJob } from "../wire/Integration.ts"
import type { RunhookError } from "./Errors.ts"
import { listOf } from "./List.ts"
import type { Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"

type Call = Effect.Effect<Replay, RunhookError>

export const makeReplays = (send: Send) => {
  const get = (id: string, options?: CallOptions): Call =>
    send({ method: "GET", path: pathOf`/webhooks/replays/${id}` }, options)

  const { list, page } = listOf<ReplayJob, PageQuery>(send, "/webhooks/replays")

  return {
    /** Streams the replays of the key, newest first. Each is forgotten 30 days after its end. */
    list,

    /** One page of the replays of the key, newest first. */
    page,

    /** How far a replay has come. */
    get,

    /** Stops a replay; what it has replayed stays so. One that is finished stays as it is. */
    cancel: (id: string, options?: CallOptions): Call =>
      send({ method: "POST", path: pathOf`/webhooks/replays/${id}/cancel`, repeatable: true }, options),

    /** Waits without limit until the replay is completed or cancelled. Its limits hold for each look. */
    waitFor: (id: string, options?: CallOptions): Call =>
      Effect.repeat(get(id, options), {
        until: ({ finished_at }) => finished_at !== null,
        schedule: Schedule.fixed(lookMs)
      })
  }
}

export type Replays = ReturnType<typeof makeReplays>

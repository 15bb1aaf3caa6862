/** Says in the log that the server is ready, for who started it without a demo. */
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Effect from "effect/Effect"
import type { ServerSettings } from "./ServerSettings.ts"
import { whenServing } from "./Serving.ts"

export const layer = ({ mode }: ServerSettings) =>
  whenServing(
    Effect.gen(function* () {
      yield* Effect.logWarning(
        "Nothing is kept: the store is memory, and what it holds is gone when this stops"
      )
      yield* Effect.logInfo("Ready").pipe(Effect.annotateLogs({ url: yield* BaseUrl, mode }))
    })
  )

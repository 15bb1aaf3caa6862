/** Says in the log that the server is ready, for who started it without a demo, and where it keeps what it is told. */
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Effect from "effect/Effect"
import type { ServerSettings } from "./ServerSettings.ts"
import { whenServing } from "./Serving.ts"

export const layer = ({ mode, roles, store }: ServerSettings) =>
  whenServing(
    Effect.gen(function* () {
      if (store._tag === "Memory") {
        yield* Effect.logWarning(
          "Nothing is kept: the store is memory, and what it holds is gone when this stops"
        )
      }
      yield* Effect.logInfo("Ready").pipe(
        Effect.annotateLogs({ url: yield* BaseUrl, mode, roles: roles.join(","), store: words[store._tag] })
      )
    })
  )

const words = {
  Memory: "memory",
  Embedded: "PostgreSQL of its own, in the data directory",
  Server: "PostgreSQL of RUNHOOK_DATABASE_URL"
}

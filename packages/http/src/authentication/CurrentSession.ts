/** The session that a request of a browser came with. */
import { SignedOut } from "@runhook/core/usecases/ConsoleSessions"
import * as Effect from "effect/Effect"
import { CurrentCall } from "../pipeline/Call.ts"

/** Fails for whoever has a key, and so no session. */
export const currentSession = Effect.gen(function* () {
  const { authenticated } = yield* CurrentCall
  return authenticated?.session ?? (yield* new SignedOut())
})

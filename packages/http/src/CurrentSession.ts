/** The session that a request of a browser came with. */
import { AdminCaller } from "@runhook/contract/Authorization"
import { SignedOut } from "@runhook/core/ConsoleSessions"
import type { ConsoleSession } from "@runhook/core/domain/ConsoleSession"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Set by the authorization of the admin API; null for whoever has a key. */
export const CurrentSession = Context.Reference<ConsoleSession | null>("@runhook/http/CurrentSession", {
  defaultValue: () => null
})

/** Fails for whoever has a key, and so no session. */
export const currentSession = Effect.gen(function* () {
  yield* AdminCaller
  return (yield* CurrentSession) ?? (yield* new SignedOut())
})

/** What endpoints ask about their caller. */
import { Caller } from "@runhook/contract/Authorization"
import { type Capability, isCapable } from "@runhook/core/keys/ApiKeyRecord"
import { MissingCapability } from "@runhook/core/shared/Refusals"
import { SignedOut } from "@runhook/core/people/PersonSessions"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { CurrentCall } from "../pipeline/Call.ts"

/** The calling key, if it has the capability. */
export const callerWith = (capability: Capability) =>
  Effect.flatMap(Caller, (caller) =>
    isCapable(caller, capability) ? Effect.succeed(caller) : new MissingCapability({ capability })
  )

/** Fails for a caller with a key, and so without sessions. */
export const currentSessions = Effect.gen(function* () {
  const { authenticated } = yield* CurrentCall
  const sessions = authenticated?.sessions ?? []
  return Arr.isReadonlyArrayNonEmpty(sessions) ? sessions : yield* new SignedOut()
})

/** Null if the endpoint needs no authentication. */
export const stillOpen = Effect.map(CurrentCall, ({ authenticated }) => authenticated?.stillOpen ?? null)

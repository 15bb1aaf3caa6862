/** The calling key, if it may do what the call does. */
import { Caller } from "@runhook/contract/Authorization"
import { type Capability, isCapable } from "@runhook/core/domain/keys/ApiKeyRecord"
import { MissingCapability } from "@runhook/core/domain/Refusals"
import * as Effect from "effect/Effect"

export const callerWith = Effect.fnUntraced(function* (capability: Capability) {
  const caller = yield* Caller
  return isCapable(caller, capability) ? caller : yield* new MissingCapability({ capability })
})

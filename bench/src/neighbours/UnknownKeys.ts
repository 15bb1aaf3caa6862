/** Well-formed keys that nobody has, each with a prefix of its own, so that only a look into the store can refuse them. */
import { generate } from "@runhook/core/signing/ApiKey"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { type Attack, asking } from "./Attack.ts"

const unknownKey = generate("live").pipe(Effect.provide(layerWebCrypto))

export const unknownKeys: Attack = {
  callers: 8,
  prepare: async ({ service }) => {
    const ask = asking(service)
    return async () => {
      const { key } = await Effect.runPromise(unknownKey)
      const { status } = await ask({
        method: "GET",
        path: "/integrations/executions",
        key
      })
      return status
    }
  }
}

/** Operators and the secret keys of the service. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { SecretKeyRotation } from "@runhook/core/keys/sealing/SecretKeyRotation"
import * as Effect from "effect/Effect"
import { handlersOf } from "../pipeline/Handlers.ts"

export const SecretKeyHandlers = handlersOf(
  AdminApi,
  "secretKeys",
  Effect.fnUntraced(function* (handle) {
    const resealing = yield* SecretKeyRotation

    return handle({
      reseal: Effect.fnUntraced(function* () {
        const { broken, newestKeyId, olderKeyIds, resealed } = yield* resealing.pass
        return {
          newest_key: newestKeyId,
          older_keys: olderKeyIds,
          resealed,
          broken
        }
      })
    })
  })
)

/** Keys, as every request looks them up. A revoked one opens nothing any more within `rememberedFor`. */
import { ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import { RunnerKeyStore } from "@runhook/core/ports/RunnerKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { remember } from "./Remembered.ts"

export const layerApiKeys = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const store = yield* ApiKeyStore
    const byPrefix = yield* remember(store.findByPrefix)
    const forget = Effect.ensuring(byPrefix.forget)

    return ApiKeyStore.of({
      ...store,
      findByPrefix: byPrefix.get,
      update: (options) => forget(store.update(options)),
      revoke: (options) => forget(store.revoke(options)),
      rotate: (options) => forget(store.rotate(options))
    })
  })
)

export const layerRunnerKeys = Layer.effect(
  RunnerKeyStore,
  Effect.gen(function* () {
    const store = yield* RunnerKeyStore
    const byPrefix = yield* remember(store.findByPrefix)

    return RunnerKeyStore.of({
      ...store,
      findByPrefix: byPrefix.get,
      revoke: (options) => Effect.ensuring(store.revoke(options), byPrefix.forget)
    })
  })
)

/**
 * Caches the keys that every request looks up. A revoked key is refused within
 * `cachedFor`. Unknown prefixes are cached as well, so that guesses do not reach
 * the database each time; a key that this process creates works at once.
 */
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CredentialCaches } from "../accounts/CredentialCaches.ts"

export const layerApiKeys = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const store = yield* ApiKeyStore
    const byPrefix = (yield* CredentialCaches).cache(store.findByPrefix)
    const forget = Effect.ensuring(byPrefix.forget)

    return ApiKeyStore.of({
      ...store,
      findByPrefix: byPrefix.get,
      create: (...created) => forget(store.create(...created)),
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
    const byPrefix = (yield* CredentialCaches).cache(store.findByPrefix)
    const forget = Effect.ensuring(byPrefix.forget)

    return RunnerKeyStore.of({
      ...store,
      findByPrefix: byPrefix.get,
      create: (...created) => forget(store.create(...created)),
      revoke: (options) => forget(store.revoke(options))
    })
  })
)

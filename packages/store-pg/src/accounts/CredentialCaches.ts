/** What a process remembers of keys and sessions. It forgets them all when it removes an account. */
import { cacheAll, type LookupCache } from "@runhook/core/engine/LookupCache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class CredentialCaches extends Context.Service<
  CredentialCaches,
  {
    /** Remembers the answers of a lookup, as `cacheAll` does. */
    cache<Asked, A, E>(lookup: (asked: Asked) => Effect.Effect<A, E>): LookupCache<Asked, A, E>
    readonly forget: Effect.Effect<void>
  }
>()("@runhook/store-pg/accounts/CredentialCaches") {
  static readonly layer = Layer.sync(CredentialCaches, () => {
    const caches: Array<Effect.Effect<void>> = []
    return CredentialCaches.of({
      cache: (lookup) => {
        const cached = cacheAll(lookup)
        caches.push(cached.forget)
        return cached
      },
      forget: Effect.suspend(() => Effect.all(caches, { discard: true }))
    })
  })
}

/**
 * Caches the sessions of the Integrations page, which every request of a browser
 * looks up. A session that ended at another process is refused here within
 * `cachedFor`.
 */
import { PeopleStore } from "@runhook/core/people/PeopleStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CredentialCaches } from "../accounts/CredentialCaches.ts"

export const layer = Layer.effect(
  PeopleStore,
  Effect.gen(function* () {
    const store = yield* PeopleStore
    const byToken = (yield* CredentialCaches).cache(store.find)
    const forget = Effect.ensuring(byToken.forget)

    return PeopleStore.of({
      ...store,
      find: byToken.get,
      redeem: (options) => forget(store.redeem(options)),
      begin: (...beginning) => forget(store.begin(...beginning)),
      touch: (options) => forget(store.touch(options)),
      end: (...ending) => forget(store.end(...ending))
    })
  })
)

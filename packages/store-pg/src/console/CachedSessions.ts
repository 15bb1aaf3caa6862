/**
 * Caches the sessions of the Integrations page, which every request of a browser
 * looks up. A session that ended at another process is refused here within
 * `cachedFor`.
 */
import { ConsoleStore } from "@runhook/core/ports/ConsoleStore"
import { cacheAll } from "@runhook/core/runtime/LookupCache"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layer = Layer.effect(
  ConsoleStore,
  Effect.gen(function* () {
    const store = yield* ConsoleStore
    const byToken = cacheAll(store.find)
    const forget = Effect.ensuring(byToken.forget)

    return ConsoleStore.of({
      ...store,
      find: byToken.get,
      redeem: (options) => forget(store.redeem(options)),
      begin: (...beginning) => forget(store.begin(...beginning)),
      touch: (options) => forget(store.touch(options)),
      end: (...ending) => forget(store.end(...ending))
    })
  })
)

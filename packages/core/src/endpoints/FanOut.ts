/** Tells standing endpoints of changes that are noted, and signals what follows. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { AccountId } from "../shared/Ids.ts"
import { EndpointStore } from "./EndpointStore.ts"
import { Signals } from "../signals/Signals.ts"
import { topicsOfEvents } from "../signals/ChangeSignals.ts"

/** Changes of one transaction. Each may be told to all endpoints of its account. */
const limit = 100

/** Gives a function that tells of so many changes, of all accounts or of one; answers whether there are more. */
export const makeFanOut = Effect.gen(function* () {
  const signals = yield* Signals
  const store = yield* EndpointStore

  return Effect.fnUntraced(function* (of: { readonly accountId?: AccountId } = {}) {
    const { events, hasMore } = yield* store.fanOut({ ...of, limit, at: yield* DateTime.now })
    yield* signals.notify(topicsOfEvents(events))
    return hasMore
  })
})

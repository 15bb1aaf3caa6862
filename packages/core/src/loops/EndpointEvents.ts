/**
 * Tells standing endpoints of changes once these are stored. A process is woken by the changes that it stores itself;
 * those that a killed one has left, every process finds within a few seconds.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { Signals } from "../ports/Signals.ts"
import { topicsOfEvents } from "../runtime/ChangeSignals.ts"
import * as Loop from "../runtime/Loop.ts"

/** Changes of one transaction. Each may be told to all endpoints of its account. */
const limit = 100

export const layerLoop = Layer.effectDiscard(
  Effect.gen(function* () {
    const signals = yield* Signals
    const store = yield* EndpointStore

    const turn = Effect.gen(function* () {
      const [took, { events, hasMore }] = yield* Effect.timed(store.fanOut({ limit }))
      yield* signals.notify(topicsOfEvents(events))
      if (hasMore) yield* Effect.sleep(Loop.restAfter(took))
      return hasMore ? Duration.zero : Duration.infinity
    })

    yield* Loop.signalled({ topic: "endpoints", turn, failure: "Endpoints could not be told of changes" })
  })
)

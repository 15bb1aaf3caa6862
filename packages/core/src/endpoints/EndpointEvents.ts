/**
 * Tells standing endpoints of changes once these are stored. A process is woken by the changes that it stores itself;
 * those that a killed one has left, every process finds within a few seconds.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeFanOut } from "./FanOut.ts"
import * as Loop from "../engine/Loop.ts"

export const layerLoop = Layer.effectDiscard(
  Effect.gen(function* () {
    const fanOut = yield* makeFanOut

    const turn = Effect.gen(function* () {
      const [took, hasMore] = yield* Effect.timed(fanOut())
      if (hasMore) yield* Effect.sleep(Loop.restAfter(took))
      return hasMore ? Duration.zero : Duration.infinity
    })

    yield* Loop.signalled({ topic: "endpoints", turn, failure: "Endpoints could not be told of changes" })
  })
)

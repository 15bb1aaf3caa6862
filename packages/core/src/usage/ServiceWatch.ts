/** Looks every few seconds at what waits in the whole service, and shows it to operators. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UsageStore } from "./UsageStore.ts"
import * as Loop from "../engine/Loop.ts"
import { StandingMetrics } from "../engine/ServiceMetrics.ts"

/** As often as Prometheus usually asks. */
const pace = Duration.seconds(15)

/** Agents whose queues are shown. */
const agentsMax = 100

export const layerLoop: Layer.Layer<never, never, UsageStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* UsageStore
    const shown = new StandingMetrics(yield* Effect.context<never>())
    const look = Effect.gen(function* () {
      const at = yield* DateTime.now
      shown.show(yield* store.serviceStanding({ at, agents: agentsMax }), at)
      yield* Effect.sleep(pace)
    })
    const rest = Effect.andThen(
      Effect.sync(() => shown.forget()),
      Effect.sleep(pace)
    )
    yield* Effect.forkScoped(
      Loop.forever(look, { failure: "What waits could not be counted", afterFailure: rest })
    )
  })
)

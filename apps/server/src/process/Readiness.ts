/**
 * Whether requests are answered yet: the socket listens a little earlier, since
 * parts of the server need its address.
 */
import { setTimeout } from "node:timers"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

export class Readiness extends Context.Service<Readiness, Latch.Latch>()(
  "@runhook/server/process/Readiness"
) {
  static readonly layer = Layer.effect(Readiness, Latch.make())
}

/**
 * Begins the service, and says when it begins to end; build it after everything that answers requests. Anything that
 * then blocks the stop, such as a database that hangs, does so for this long at most.
 */
export const begin = (stopMax: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.flatMap(Readiness, (serving) => serving.open),
      Effect.fnUntraced(function* () {
        yield* Effect.logInfo("Stopping")
        const services = yield* Effect.context<never>()
        const endNow = () => {
          Effect.runSyncWith(services)(Effect.logWarning(outOfTime))
          process.exit()
        }
        setTimeout(endNow, Duration.toMillis(stopMax)).unref()
      })
    )
  )

const outOfTime =
  "Something did not end in time, and the process ends without it: what was acknowledged is kept, callbacks under way are sent again"

/** Runs an effect once requests are answered. */
export const whenServing = <E, R>(effect: Effect.Effect<void, E, R>) =>
  Layer.effectDiscard(
    Effect.flatMap(Readiness, (serving) => Effect.forkScoped(Effect.andThen(serving.await, effect)))
  )

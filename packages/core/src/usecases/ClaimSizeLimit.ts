/** Limits claimed work, which defaults of schemas and checkpoints made larger, to what one answer may hold. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { pageBytesMax } from "../domain/Page.ts"
import { type ClaimedRun, RunStore } from "../ports/RunStore.ts"
import { announce } from "../runtime/ChangeSignals.ts"
import type { Claim } from "./ParamsDefaults.ts"

/** How many bytes defaults and checkpoints may add to one answer. */
const growthMax = pageBytesMax

const growthOf = ({ checkpoint, params, run }: Claim): number =>
  Math.max(0, params.bytes - run.execution.params.bytes) + (checkpoint?.bytes ?? 0)

/**
 * Fills in the defaults of one run after the other. The first is given out however
 * large it grows. What does not fit goes back to the queue as it was, for the next
 * claim.
 */
export const fillWithinLimit = <R>(
  claims: ReadonlyArray<ClaimedRun>,
  fill: (claimed: ClaimedRun) => Effect.Effect<Claim, never, R>
) =>
  Effect.gen(function* () {
    const handedOut: Array<Claim> = []
    let growth = 0
    for (const claimed of claims) {
      const claim = yield* fill(claimed)
      growth += growthOf(claim)
      if (handedOut.length > 0 && growth > growthMax) break
      handedOut.push(claim)
    }
    yield* Effect.forEach(claims.slice(handedOut.length), giveBack)
    return handedOut
  })

/** If someone else has taken it away, there is nothing to give back. */
const giveBack = Effect.fnUntraced(function* ({ run }: ClaimedRun) {
  const store = yield* RunStore
  const { accountId, epoch, id } = run.execution
  const at = yield* DateTime.now
  const change = yield* store
    .giveBack({ accountId, id, epoch, at, delay: Duration.zero })
    .pipe(Effect.catchTags({ ExecutionNotFound: gone, IllegalTransition: gone, LeaseLost: gone }))
  if (change !== undefined) yield* announce([change])
})

const gone = () => Effect.undefined

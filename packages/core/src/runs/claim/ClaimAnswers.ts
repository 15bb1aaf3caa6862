/**
 * Prepares claimed work for its runner: with the defaults of its params, as much as one answer may hold, and started if
 * the runner asks for that.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { pageBytesMax } from "../../shared/Page.ts"
import { beat, isResuming } from "../LeaseMoves.ts"
import type { Run } from "../Run.ts"
import { type ClaimedRun, RunStore } from "../RunStore.ts"
import { makeAnnounce } from "../../signals/ChangeSignals.ts"
import { RunnerTimings } from "../../Settings.ts"
import { type Claim, makeDefaults } from "../../executions/params/ParamsDefaults.ts"

/** How many bytes defaults and checkpoints may add to one answer. */
const growthMax = pageBytesMax

const growthOf = ({ checkpoint, params, run }: Claim): number =>
  Math.max(0, params.bytes - run.execution.params.bytes) + (checkpoint?.bytes ?? 0)

export const makeClaimAnswers = Effect.gen(function* () {
  const announce = yield* makeAnnounce
  const store = yield* RunStore
  const { lease } = yield* RunnerTimings
  const withDefaults = yield* makeDefaults

  /** If someone else has taken it away, there is nothing to give back. */
  const giveBack = Effect.fnUntraced(function* ({ run }: ClaimedRun) {
    const { accountId, epoch, id } = run.execution
    const at = yield* DateTime.now
    const change = yield* store
      .giveBack({ accountId, id, epoch, at, delay: Duration.zero })
      .pipe(Effect.catchTags({ ExecutionNotFound: gone, IllegalTransition: gone, LeaseLost: gone }))
    if (change !== undefined) yield* announce([change])
  })

  /**
   * Fills in the defaults of one run after the other. The first is given out however
   * large it grows. What does not fit goes back to the queue as it was, for the next
   * claim.
   */
  const fillWithinLimit = Effect.fnUntraced(function* (claims: ReadonlyArray<ClaimedRun>) {
    const handedOut: Array<Claim> = []
    let growth = 0
    for (const claimed of claims) {
      const claim = yield* withDefaults(claimed)
      growth += growthOf(claim)
      if (handedOut.length > 0 && growth > growthMax) break
      handedOut.push(claim)
    }
    yield* Effect.forEach(claims.slice(handedOut.length), giveBack)
    return handedOut
  })

  const start = Effect.fnUntraced(function* (claim: Claim) {
    // Such work continues with an answer, which only its claim brings, and only until the start. If it started
    // here and this response got lost, no later claim could bring the answer again.
    if (isResuming(claim.run)) return claim
    const at = yield* DateTime.now
    if (hasJustBegun(claim.run, { at, lease })) return claim
    const { accountId, epoch, id } = claim.run.execution
    const change = yield* store
      .start({ accountId, id, epoch, lease, at })
      .pipe(Effect.catchTags({ ExecutionNotFound: gone, LeaseLost: gone }))
    if (change === undefined) return undefined
    yield* announce([change], "runner")
    return { ...claim, run: change.run }
  })

  /**
   * Starts claimed work as if its runner had started it at once, and answers what was
   * started. Work that its caller stopped in between is left out: no runner has heard of it.
   */
  const startAll = (claims: ReadonlyArray<Claim>) =>
    Effect.map(Effect.forEach(claims, start, { concurrency: "unbounded" }), (begun) =>
      begun.filter((claim) => claim !== undefined)
    )

  return { fillWithinLimit, startAll, withDefaults }
})

/** Whether it was just started when it was created, so that its lease need not be extended. */
const hasJustBegun = (
  run: Run,
  { at, lease }: { readonly at: DateTime.Utc; readonly lease: Duration.Duration }
): boolean =>
  run.execution.status !== "queued" &&
  run.lease !== null &&
  beat(run, { ...run.lease, at, lease }) === run.lease

const gone = () => Effect.undefined

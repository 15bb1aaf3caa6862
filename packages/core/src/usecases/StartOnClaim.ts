/** Starts claimed work within its claim, as if its runner had started it at once. */
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { beat, isResuming } from "../domain/run/LeaseMoves.ts"
import type { Run } from "../domain/run/Run.ts"
import { RunStore } from "../ports/RunStore.ts"
import type { Signals } from "../ports/Signals.ts"
import { announce } from "../runtime/ChangeSignals.ts"
import type { Claim } from "./ParamsDefaults.ts"

/**
 * Answers the claims that were started. Work that its caller stopped in between is
 * left out: no runner has heard of it.
 */
export const startClaims = (claims: ReadonlyArray<Claim>, options: { readonly lease: Duration.Duration }) =>
  Effect.map(
    Effect.forEach(claims, (claim) => start(claim, options), { concurrency: "unbounded" }),
    (begun) => begun.filter((claim) => claim !== undefined)
  )

const start = Effect.fnUntraced(function* (
  claim: Claim,
  { lease }: { readonly lease: Duration.Duration }
): Effect.fn.Return<Claim | undefined, never, RunStore | Signals> {
  // Such work continues with an answer, which only its claim brings, and only until the start. If it started
  // here and this response got lost, no later claim could bring the answer again.
  if (isResuming(claim.run)) return claim
  const at = yield* DateTime.now
  if (hasJustBegun(claim.run, { at, lease })) return claim
  const store = yield* RunStore
  const { accountId, epoch, id } = claim.run.execution
  const change = yield* store
    .start({ accountId, id, epoch, lease, at })
    .pipe(Effect.catchTags({ ExecutionNotFound: gone, LeaseLost: gone }))
  if (change === undefined) return undefined
  yield* announce([change], "runner")
  return { ...claim, run: change.run }
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

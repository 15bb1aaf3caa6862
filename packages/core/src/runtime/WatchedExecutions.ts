/**
 * Executions that callers of this process follow or wait for. Signals wake the callers; since those may be lost, one look
 * in a few seconds asks for all of them together.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as RcRef from "effect/RcRef"
import type { ExecutionId, InAccount } from "../domain/Ids.ts"
import { HistoryStore } from "../ports/HistoryStore.ts"
import { lookEvery } from "./LongPoll.ts"

export interface Watched {
  readonly ref: InAccount<ExecutionId>
  /** The number of the last event that is known; before any is, that of the first, which every execution has. */
  after: number
  /** The number of the last line of its log that is known; null if lines do not matter. */
  afterLine: number | null
  /** Opened when there may be more. */
  readonly more: Latch.Latch
}

export const makeWatchedExecutions = Effect.gen(function* () {
  const store = yield* HistoryStore
  const watched = new Set<Watched>()

  /** A store that is away is asked again the next time. */
  const lookForAll = Effect.gen(function* () {
    const known = [...watched].map(({ after, afterLine, ref }) => ({ ...ref, after, afterLine }))
    const changed = new Set(yield* store.changedSince(known))
    for (const { more, ref } of watched) if (changed.has(ref.id)) more.openUnsafe()
  }).pipe(
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.void))
  )

  const looking = yield* RcRef.make({
    acquire: Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(lookEvery), lookForAll)))
  })

  /** Watches an execution until the scope ends. */
  return Effect.fnUntraced(function* ({ accountId, id }: InAccount<ExecutionId>) {
    const own: Watched = {
      ref: { accountId, id },
      after: 1,
      afterLine: null,
      more: Latch.makeUnsafe(false)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => watched.add(own)),
      () => Effect.sync(() => watched.delete(own))
    )
    yield* RcRef.get(looking)
    return own
  })
})

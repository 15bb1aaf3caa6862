/**
 * Executions that callers of this process follow or wait for. Signals wake the callers; since those may be lost, one look
 * in a few seconds asks for all of them together.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as RcRef from "effect/RcRef"
import type { ExecutionId, InAccount } from "../shared/Ids.ts"
import { HistoryStore, type Known } from "./history/HistoryStore.ts"
import { Signals } from "../signals/Signals.ts"
import { ExecutionLimits } from "../Settings.ts"
import { Draining } from "../engine/Draining.ts"
import { type Look, lookEvery, lookForCaller, type WaitingKey } from "../engine/LongPoll.ts"

export interface Watched {
  /** Before anything is known: that there is the first event, which every execution has. */
  known: Known
  /** Opened when there may be more. */
  readonly more: Latch.Latch
}

/** What a look found, and what it thereby knows. */
export interface KnowingLook<Found> extends Look<Found> {
  readonly knows: Partial<Known>
}

export interface Waiting<E> {
  /** At most `waitMax`. */
  readonly wait: Duration.Duration
  /** The wait ends when its key does; null: a key without an end. */
  readonly key: WaitingKey<E> | null
}

export const makeWatchedExecutions = Effect.gen(function* () {
  const store = yield* HistoryStore
  const { waitMax } = yield* ExecutionLimits
  const services = { draining: yield* Draining, signals: yield* Signals }
  const all = new Set<Watched>()

  /** A store that is away is asked again the next time. */
  const lookForAll = Effect.gen(function* () {
    const changed = new Set(yield* store.changedSince(Array.from(all, ({ known }) => known)))
    for (const { known, more } of all) if (changed.has(known.id)) more.openUnsafe()
  }).pipe(
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.void))
  )

  const looking = yield* RcRef.make({
    acquire: Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(lookEvery), lookForAll)))
  })

  /** Watches an execution until the scope ends. */
  const watch = Effect.fnUntraced(function* ({ accountId, id }: InAccount<ExecutionId>) {
    const own: Watched = {
      known: { accountId, id, after: 1 },
      more: Latch.makeUnsafe(false)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => all.add(own)),
      () => Effect.sync(() => all.delete(own))
    )
    yield* RcRef.get(looking)
    return own
  })

  /** What the first final look finds, or the last one when the time is up. */
  const awaitLook = <Found, E, E2>(
    ref: InAccount<ExecutionId>,
    { key, look, wait }: Waiting<E> & { readonly look: Effect.Effect<KnowingLook<Found>, E2> }
  ) =>
    Effect.gen(function* () {
      const own = Duration.isPositive(wait) ? yield* watch(ref) : undefined
      return yield* lookForCaller({
        ...services,
        topic: `execution:${ref.id}`,
        key,
        wait: Duration.min(wait, waitMax),
        look:
          own === undefined
            ? look
            : Effect.map(look, (seen) => {
                own.known = { ...own.known, ...seen.knows }
                return seen
              }),
        news: own?.more
      })
    }).pipe(Effect.scoped)

  return { watch, awaitLook }
})

/**
 * Follows executions: tells of each event, or line of the log, as it comes, until the last. Signals wake a follower; since they may be
 * lost, one look in a few seconds asks for all followers of the process together.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as RcRef from "effect/RcRef"
import { HistoryStore } from "../ports/HistoryStore.ts"
import { Signals } from "../ports/Signals.ts"
import { makeFollowers } from "../runtime/Followers.ts"
import { lookEvery, type WaitingKey } from "../runtime/LongPoll.ts"
import type { ExecutionRef } from "./Executions.ts"

/** How many may follow executions at once, in each process: by one key or session, of one account, and in all. */
export const streamsMax = { session: 1_000, account: 1_000, process: 5_000 }

interface Followed {
  readonly ref: ExecutionRef
  /** The number of the last event that is known. */
  after: number
  /** The number of the last line that was told; null for who follows the events. */
  afterLine: number | null
  /** Opened when there may be more. */
  readonly more: Latch.Latch
}

/** Events or lines, which are numbered. */
interface Numbered {
  readonly sequence: number
}

export interface FollowedHistory<Item> {
  /** Whether the caller has seen everything, and the execution is finished. */
  readonly isOver: boolean
  /** Waits for more. None at the end: the last was told, the service stops, or the key is no longer valid. */
  readonly next: Effect.Effect<Option.Option<ReadonlyArray<Item>>>
}

/** What a look found. */
export interface Seen<Item> {
  readonly found: ReadonlyArray<Item>
  /** Whether nothing can come after it. */
  readonly isLast: boolean
  /** The number of the last event that the look knew of. */
  readonly revision: number
}

export const makeFollowHistory = Effect.gen(function* () {
  const signals = yield* Signals
  const store = yield* HistoryStore
  const join = yield* makeFollowers(streamsMax)
  const followed = new Set<Followed>()

  /** A store that is away is asked again the next time. */
  const lookForAll = Effect.gen(function* () {
    const seen = [...followed].map(({ after, afterLine, ref }) => ({ ...ref, after, afterLine }))
    const changed = new Set(yield* store.changedSince(seen))
    for (const each of followed) if (changed.has(each.ref.id)) each.more.openUnsafe()
  }).pipe(
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.void))
  )

  const looking = yield* RcRef.make({
    acquire: Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(lookEvery), lookForAll)))
  })

  /** Follows an execution behind the number `after`, until the scope ends. */
  return Effect.fnUntraced(function* <Item extends Numbered, E>({
    accountId,
    after,
    id,
    key,
    look,
    of
  }: ExecutionRef & {
    readonly after: number
    readonly key: WaitingKey<unknown> | null
    readonly of: "events" | "lines"
    /** What comes behind a number. */
    readonly look: (after: number) => Effect.Effect<Seen<Item>, E>
  }) {
    const isOver = yield* join({ account: accountId, key })
    const woken = yield* signals.subscribe([`execution:${id}`])
    let position = after
    let seen = yield* look(position)
    const own: Followed = { ref: { accountId, id }, after, afterLine: null, more: Latch.makeUnsafe(false) }
    const note = () => {
      own.after = of === "events" ? position : seen.revision
      own.afterLine = of === "events" ? null : position
    }
    note()
    yield* Effect.acquireRelease(
      Effect.sync(() => followed.add(own)),
      () => Effect.sync(() => followed.delete(own))
    )
    yield* RcRef.get(looking)

    const next = Effect.gen(function* () {
      // What was told last time is not told again.
      if (position === seen.found.at(-1)?.sequence && !seen.isLast) seen = yield* look(position)
      while (true) {
        if (yield* Deferred.isDone(isOver)) return Option.none()
        const last = seen.found.at(-1)
        if (last !== undefined && last.sequence > position) {
          position = last.sequence
          note()
          return Option.some(seen.found)
        }
        if (seen.isLast) return Option.none()
        note()
        own.more.closeUnsafe()
        yield* Effect.raceAllFirst([woken, own.more.await, Deferred.await(isOver)])
        seen = yield* look(position)
      }
    }).pipe(
      // It was removed.
      Effect.orElseSucceed(() => Option.none())
    )
    const told: FollowedHistory<Item> = { isOver: seen.isLast && seen.found.length === 0, next }
    return told
  })
})

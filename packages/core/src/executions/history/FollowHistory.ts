/** Follows executions: tells of each event, or line of the log, as it comes, until the last. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Signals } from "../../signals/Signals.ts"
import { makeFollowers } from "../../engine/Followers.ts"
import type { WaitingKey } from "../../engine/LongPoll.ts"
import type { makeWatchedExecutions } from "../WatchedExecutions.ts"
import type { ExecutionRef } from "../Executions.ts"

/** How many may follow executions at once, in each process: by one key or session, of one account, and in all. */
export const streamsMax = { session: 1_000, account: 1_000, process: 5_000 }

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

export const makeFollowHistory = Effect.fnUntraced(function* ({
  watch
}: Effect.Success<typeof makeWatchedExecutions>) {
  const signals = yield* Signals
  const join = yield* makeFollowers(streamsMax)

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
    const own = yield* watch({ accountId, id })
    const note = () => {
      own.known =
        of === "events"
          ? { ...own.known, after: position }
          : { ...own.known, after: seen.revision, afterLine: position }
    }
    note()

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

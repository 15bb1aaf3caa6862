/**
 * Lines before work that blocks others: each owner is served one request at a time, and its line then rests, so that
 * others have their turn.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as TokenBuckets from "./TokenBuckets.ts"

export interface LineLimits {
  /** How many of an owner may wait. */
  readonly waitingMax: number
  /** How long each may wait, in milliseconds. */
  readonly waitMax: number
  /** The least rest after each, in milliseconds: it is as long as the work was, up to a second. */
  readonly restMin: number
}

const restMax = 1_000

/** Milliseconds of rest, which pass as time does. */
const resting = { perSecond: 1_000, burst: 0 }

/** Does the work when it is the owner's turn; none if too many of the owner wait, or if this one waited too long. */
export type Lines<Owner extends string> = <A, E, R>(
  owner: Owner,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<Option.Option<A>, E, R>

interface Line {
  readonly turn: Semaphore.Semaphore
  /** Requests that are served or wait. */
  length: number
}

export const makeLines = <Owner extends string>({
  restMin,
  waitingMax,
  waitMax
}: LineLimits): Lines<Owner> => {
  const lines = new Map<Owner, Line>()
  const rests = TokenBuckets.make()

  const lineOf = (owner: Owner): Line => {
    const line = lines.get(owner) ?? { turn: Semaphore.makeUnsafe(1), length: 0 }
    lines.set(owner, line)
    return line
  }

  const leave = (owner: Owner, line: Line): void => {
    line.length -= 1
    if (line.length === 0) lines.delete(owner)
  }

  const rested = (owner: Owner) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const rest = rests.waitOf(owner, resting, now)
      return rest > 0 ? Effect.sleep(rest) : Effect.void
    })

  const measured = <A, E, R>(owner: Owner, work: Effect.Effect<A, E, R>) =>
    Effect.clockWith((clock) => {
      const begun = clock.currentTimeMillisUnsafe()
      return Effect.onExit(work, () =>
        Effect.sync(() => {
          const now = clock.currentTimeMillisUnsafe()
          rests.owe(owner, resting, now, Math.max(restMin, Math.min(now - begun, restMax)))
        })
      )
    })

  return (owner, work) =>
    Effect.suspend(() => {
      const line = lineOf(owner)
      if (line.length > waitingMax) return Effect.succeedNone
      line.length += 1
      let hasBegun = false
      const begin = Effect.suspend(() => {
        hasBegun = true
        return Effect.asSome(measured(owner, work))
      })
      const served = line.turn.withPermit(Effect.andThen(rested(owner), begin))
      const tooLate = Effect.suspend(() => (hasBegun ? Effect.never : Effect.succeedNone))
      const inTime = line.length === 1 ? served : Effect.raceFirst(served, Effect.delay(tooLate, waitMax))
      return Effect.onExit(inTime, () => Effect.sync(() => leave(owner, line)))
    })
}

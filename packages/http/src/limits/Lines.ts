/**
 * Lines before work that holds up everybody: of each owner one request is served at
 * a time, and the line then rests, so that others have their turn.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Turns } from "./Turns.ts"

export interface LineLimits {
  /** How many of an owner may wait. */
  readonly waitingMax: number
  /** How long each may wait, in milliseconds. */
  readonly waitMax: number
  /** The least rest after each, in milliseconds: it is as long as the work was, up to a second. */
  readonly restMin: number
  /** Rest that an owner may put off, in milliseconds, if it has worked little lately. */
  readonly burst: number
}

const restMax = 1_000

export type Lines<Owner> = <A, E, R, E2, R2>(
  owner: Owner,
  work: Effect.Effect<A, E, R>,
  /** For one that has no place in the line, or has waited too long. */
  refused: Effect.Effect<never, E2, R2>
) => Effect.Effect<A, E | E2, R | R2>

interface Line {
  readonly turn: Semaphore.Semaphore
  /** Who is served, and who waits. */
  length: number
}

export const makeLines = <Owner>({ burst, restMin, waitingMax, waitMax }: LineLimits): Lines<Owner> => {
  const lines = new Map<Owner, Line>()
  const rests = new Turns<Owner>({ perSecond: 1_000, burst })

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
      const rest = rests.waitOf(owner, now)
      return rest > 0 ? Effect.sleep(rest) : Effect.void
    })

  const measured = <A, E, R>(owner: Owner, work: Effect.Effect<A, E, R>) =>
    Effect.clockWith((clock) => {
      const begun = clock.currentTimeMillisUnsafe()
      return Effect.onExit(work, () =>
        Effect.sync(() => {
          const now = clock.currentTimeMillisUnsafe()
          rests.take(owner, Math.max(restMin, Math.min(now - begun, restMax)), now)
        })
      )
    })

  return (owner, work, refused) =>
    Effect.suspend(() => {
      const line = lineOf(owner)
      if (line.length > waitingMax) return refused
      line.length += 1
      let hasBegun = false
      const begin = Effect.suspend(() => {
        hasBegun = true
        return measured(owner, work)
      })
      const served = line.turn.withPermit(Effect.andThen(rested(owner), begin))
      const tooLate = Effect.suspend(() => (hasBegun ? Effect.never : refused))
      const inTime = line.length === 1 ? served : Effect.raceFirst(served, Effect.delay(tooLate, waitMax))
      return Effect.onExit(inTime, () => Effect.sync(() => leave(owner, line)))
    })
}

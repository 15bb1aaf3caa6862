/**
 * Warns operators when the clocks of this process and of the database differ: at startup, when the difference
 * changes, and when it is gone.
 */
import * as Effect from "effect/Effect"

/** Differences too small to matter. */
const tolerableMillis = 5_000

export interface Difference {
  /** How far the clock of the process is ahead of the database's; below 0 it is behind. */
  readonly aheadMillis: number
  /** How inexact that is. */
  readonly inexact: number
}

export const makeClockWatch = () => {
  /** The difference that was last logged. */
  let told = 0

  return ({ aheadMillis, inexact }: Difference): Effect.Effect<void> => {
    if (Math.abs(aheadMillis - told) <= tolerableMillis + inexact) return Effect.void
    const differs = Math.abs(aheadMillis) > tolerableMillis
    told = differs ? aheadMillis : 0
    return differs
      ? Effect.logWarning(warningOf(aheadMillis))
      : Effect.logInfo("The clock of this process agrees with the database's again")
  }
}

const warningOf = (aheadMillis: number): string =>
  `The clock of this process is ${Math.round(Math.abs(aheadMillis) / 1_000)} s ${aheadMillis > 0 ? "ahead of" : "behind"} the database's. ` +
  "All processes go by the database's, callbacks are signed with it, and receivers refuse timestamps that are minutes off: set right the one that is wrong"

/** What the log of a runner says about the end of an attempt. */
import type { Ending, Outcome } from "../wire/Runner.ts"
import { retryMs } from "./Intervals.ts"
import { messageOf } from "./Outcome.ts"
import { StoppedError } from "./Stopping.ts"

/** An outcome that the service has taken, and what it answered. */
export interface Reported {
  readonly outcome: Outcome
  readonly ending: Ending
}

/** Longer waits are in seconds. */
const millisecondsMax = 9_999

/** When another attempt follows, to be added to how this one ended; empty where none does. */
export const againIn = (ending: Ending | undefined): string => {
  if (typeof ending?.retry_in_ms !== "number") return ""
  const wait = Math.round(retryMs(ending.retry_in_ms))
  if (wait === 0) return ", again at once"
  return wait > millisecondsMax
    ? `, again in ${grouped(Math.round(wait / 1_000))} s`
    : `, again in ${grouped(wait)} ms`
}

const grouped = (whole: number): string => whole.toLocaleString("en")

/** How work ended whose outcome the service has taken. */
export const endOf = ({ ending, outcome }: Reported): string => {
  switch (outcome.outcome) {
    case "completed":
      return "completed"
    case "cancelled":
      return cancelled(outcome.error.message)
    case "error": {
      const again = againIn(ending)
      return again === "" ? "error" : outcome.error.message + again
    }
  }
}

/** How work ended that was stopped, or could not be reported. */
export const stopOf = (cause: unknown): string =>
  cause instanceof StoppedError && cause.kind === "cancelled" ? cancelled(messageOf(cause)) : messageOf(cause)

const cancelled = (reason: string): string => `cancelled: ${reason}`

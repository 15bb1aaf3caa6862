/** Turns usage counts into lines of charts. Pure functions. */
import type { UsageItem } from "@runhook/sdk/admin"

/** A value for each hour or day; null if there is none. */
export type Values = ReadonlyArray<number | null>

/** The share of attempts that were delivered, from 0 to 1. */
export const arrivedShare = (items: ReadonlyArray<Pick<UsageItem, "callbacks">>): Values =>
  items.map(({ callbacks }) => {
    const { delivered = 0, failed_attempts = 0 } = callbacks ?? {}
    return delivered + failed_attempts === 0 ? null : delivered / (delivered + failed_attempts)
  })

export const newDead = (items: ReadonlyArray<Pick<UsageItem, "callbacks">>): Values =>
  items.map(({ callbacks }) => callbacks?.dead ?? 0)

/**
 * How many executions were queued at the end of each hour: counted backwards from
 * the current number by those created and started since. Retries count as started.
 */
export const backlog = (
  items: ReadonlyArray<Pick<UsageItem, "created" | "never_started" | "started">>,
  waitingNow: number
): Values => {
  let waiting = waitingNow
  return items
    .toReversed()
    .map(({ created, never_started, started }) => {
      const atEnd = waiting
      waiting = Math.max(0, waiting - created + started + never_started)
      return atEnd
    })
    .toReversed()
}

/** The larger steps that durations are read by, in milliseconds. */
const steps = [10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 86_400_000]

/** Where lines across a chart of durations stand: at most four. */
export const durationSplits = (min: number, max: number): Array<number> => {
  const within = steps.filter((step) => step >= min && step <= max)
  return within.length <= 4 ? within : within.filter((_, place) => place % 2 === within.length % 2)
}

/** Whether there are so few values that a line between them might not be seen. */
export const isSparse = (values: Values): boolean => values.filter((value) => value !== null).length <= 24

const daySeconds = 86_400

/** What stands below a place on the axis of time, in seconds: `16 Nov`, or `12:00` where all are of a day or two. */
export const tickWords = (at: number, all: ReadonlyArray<number>, zone: "local" | "utc"): string => {
  const isShort = (all.at(-1) ?? 0) - (all[0] ?? 0) < 2 * daySeconds
  return new Intl.DateTimeFormat("en-GB", {
    ...(zone === "utc" ? { timeZone: "UTC" } : {}),
    ...(isShort ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" })
  }).format(new Date(at * 1_000))
}

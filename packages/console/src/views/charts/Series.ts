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

/** Whether there are so few values that a line between them might not be seen. */
export const isSparse = (values: Values): boolean => values.filter((value) => value !== null).length <= 12

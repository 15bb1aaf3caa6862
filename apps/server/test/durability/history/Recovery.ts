/** How soon all was well again after a fault was over. */
import { allOf, eventOf, type History } from "./History.ts"
import { firstArrivals } from "./Order.ts"

export interface Recovery {
  /** Milliseconds to the first create that was acknowledged; undefined when none was. */
  readonly create: number | undefined
  /** Milliseconds to the last callback of what had been acknowledged before; undefined when none was left. */
  readonly callback: number | undefined
}

export const recoveryOf = (history: History, overAt: number): Recovery => {
  const creates = allOf(history, "created").flatMap(({ at }) => (at > overAt ? [at] : []))
  const acknowledged = changesBefore(history, overAt)
  const receipts = allOf(history, "receipt")
  // What the receiver itself delayed, by not taking it, says nothing of the service.
  const refused = new Set(receipts.flatMap((each) => (each.answer === "taken" ? [] : [each.executionId])))
  const delayed = firstArrivals(receipts).flatMap(({ at, executionId, type }) =>
    at > overAt && acknowledged.has(executionId + type) && !refused.has(executionId) ? [at] : []
  )
  return {
    create: creates.length === 0 ? undefined : Math.min(...creates) - overAt,
    callback: delayed.length === 0 ? undefined : Math.max(...delayed) - overAt
  }
}

/** The events, by execution and type, of changes that were acknowledged before the fault was over. */
const changesBefore = (history: History, overAt: number): ReadonlySet<string> =>
  new Set(
    history.flatMap((entry) => {
      if (!("at" in entry) || entry.at > overAt) return []
      if (entry.is === "created") return [entry.executionId + eventOf("queued")]
      if (entry.is === "cancelled") return [entry.executionId + eventOf(entry.status)]
      if (entry.is !== "written" || !entry.accepted) return []
      if (entry.verb === "start") return [entry.executionId + eventOf("running")]
      return entry.outcome === undefined ? [] : [entry.executionId + eventOf(entry.outcome.status)]
    })
  )

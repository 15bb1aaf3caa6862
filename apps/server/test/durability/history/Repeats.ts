/** A callback that a receiver accepted is repeated only where a fault may have hidden the acceptance. */
import type { Rule } from "./Fault.ts"
import { allOf, type Receipt } from "./History.ts"

/** Milliseconds in which what was taken is noted, on a busy machine. */
const noting = 5_000

export const needlessRepeats: Rule = (history) => {
  const strikes = allOf(history, "struck")
  const isNoted = ({ at, answer }: Receipt): boolean =>
    answer === "taken" && strikes.every(({ from, until }) => until < at || from > at + noting)
  const receipts = allOf(history, "receipt").toSorted((left, right) => left.at - right.at)
  return [...Map.groupBy(receipts, ({ eventId }) => eventId).values()].flatMap((told) => {
    const taken = told.findIndex(isNoted)
    const again = taken === -1 ? undefined : told[taken + 1]
    if (again === undefined) return []
    const { executionId, type } = again
    return [{ kind: "told again for nothing", executionId, what: `${type}, which had been taken` }]
  })
}

/** The callbacks of an execution arrive first in the order of its life. Repeats of what has arrived may come at any time. */
import type { Rule } from "./Fault.ts"
import { allOf, byExecution, type Receipt } from "./History.ts"

const ranks: Readonly<Record<string, number>> = { "execution.queued": 0, "execution.started": 1 }

const rankOf = (type: string): number => ranks[type] ?? 2

/** The receipts of events that had not arrived before. */
export const firstArrivals = (receipts: ReadonlyArray<Receipt>): ReadonlyArray<Receipt> => [
  ...new Map(
    receipts.toSorted((left, right) => right.at - left.at).map((receipt) => [receipt.eventId, receipt])
  ).values()
]

export const outOfOrder: Rule = (history) =>
  [...byExecution(allOf(history, "receipt"))].flatMap(([executionId, receipts]) => {
    const types = firstArrivals(receipts)
      .toSorted((left, right) => left.at - right.at)
      .map(({ type }) => type)
    const isOrdered = types.every(
      (type, index) => index === 0 || rankOf(types[index - 1] ?? "") <= rankOf(type)
    )
    return isOrdered ? [] : [{ kind: "out of order", executionId, what: types.join(", then ") }]
  })

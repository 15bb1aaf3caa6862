/** What was tried and what came of it, as a table of Markdown. */
import type { Verdict } from "./Campaign.ts"
import type { FaultKind } from "./history/Fault.ts"
import { allOf } from "./history/History.ts"

const headings = [
  "Fault",
  "Tries",
  "Acknowledged",
  "Lost",
  "Doubled",
  "Out of order",
  "Not answered in time",
  "Otherwise wrong",
  "Told again",
  "Recovery: next create, last callback"
]

const shown: ReadonlyArray<FaultKind> = ["lost", "doubled", "out of order", "not answered in time"]

const seconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "-" : `${(milliseconds / 1_000).toFixed(1)} s`

const cellsOf = ({ faults, history, name, recovery, tries }: Verdict): ReadonlyArray<string> => {
  const receipts = allOf(history, "receipt")
  const events = new Set(receipts.map(({ eventId }) => eventId))
  const executions = new Set(allOf(history, "created").map(({ executionId }) => executionId))
  return [
    name,
    `${tries}`,
    `${executions.size}`,
    ...shown.map((kind) => `${faults.filter((fault) => fault.kind === kind).length}`),
    `${faults.filter(({ kind }) => !shown.includes(kind)).length}`,
    `${receipts.length - events.size}`,
    `${seconds(recovery.create)}, ${seconds(recovery.callback)}`
  ]
}

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

export const rowOf = (verdict: Verdict): string => row(cellsOf(verdict))

export const tableOf = (verdicts: ReadonlyArray<Verdict>): string =>
  [row(headings), row(headings.map(() => "---")), ...verdicts.map(rowOf)].join("\n")

/** What a history shows that must not be. */
import type { Entry, History } from "./History.ts"

export type FaultKind =
  | "lost"
  | "doubled"
  | "out of order"
  | "stale write accepted"
  | "contradiction"
  | "bytes differ"
  | "forged"
  | "told again for nothing"
  | "not answered in time"
  | "answered wrongly"

export interface Fault {
  readonly kind: FaultKind
  /** A sentence. */
  readonly what: string
  readonly executionId?: string
}

export type Rule = (history: History) => ReadonlyArray<Fault>

/** Longest line of evidence. */
const lineMax = 400

const line = ({ is, ...entry }: Entry): string => `    ${is} ${JSON.stringify(entry)}`.slice(0, lineMax)

const timeOf = (entry: Entry): number => ("at" in entry ? entry.at : Number.POSITIVE_INFINITY)

/** Its own entries, and requests for it that were refused or broke off. */
const isAbout = (entry: Entry, executionId: string): boolean =>
  entry.is === "requested"
    ? entry.error !== undefined && entry.call.includes(executionId)
    : "executionId" in entry && entry.executionId === executionId

/** The fault, and everything that the history has of its execution. */
export const evidenceOf = (history: History, { executionId, kind, what }: Fault): string => {
  const seen = history
    .filter((entry) => executionId !== undefined && isAbout(entry, executionId))
    .toSorted((left, right) => timeOf(left) - timeOf(right))
  return [`${kind}: ${what}`, ...seen.map(line)].join("\n")
}

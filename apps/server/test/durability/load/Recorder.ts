/** Writes a history down while it happens. */
import type { Entry, History } from "../history/History.ts"

export interface Recorder {
  /** Milliseconds of the clock of the history. */
  now(): number
  note(entry: Entry): void
  history(): History
}

export const recorderOf = (): Recorder => {
  const entries: Array<Entry> = []
  return {
    now: () => performance.now(),
    note: (entry) => entries.push(entry),
    history: () => entries
  }
}

/** The newest lines of a log, as they come in pages. Pure. */
import type { ExecutionLogLine } from "@runhook/sdk/admin"

/** Most lines that are held and shown; the service keeps as many. */
export const linesMax = 1_000

/** Adds a page behind what is there: a line that is known already does not come twice. */
export const withLines = (
  before: ReadonlyArray<ExecutionLogLine>,
  page: ReadonlyArray<ExecutionLogLine>
): ReadonlyArray<ExecutionLogLine> => {
  const after = before.at(-1)?.sequence ?? 0
  return [...before, ...page.filter(({ sequence }) => sequence > after)].slice(-linesMax)
}

/** The levels from `least` on, from the most talkative. */
export const levels = ["debug", "info", "warn", "error"]

/** A level that a later version of the service may have is always shown. */
export const isShown = ({ level }: ExecutionLogLine, least: string): boolean =>
  !levels.includes(level) || levels.indexOf(level) >= levels.indexOf(least)

/** As a text to copy. */
export const textOf = (lines: ReadonlyArray<ExecutionLogLine>): string =>
  lines.map(({ at, level, message }) => `${at} ${level.toUpperCase()} ${message}\n`).join("")

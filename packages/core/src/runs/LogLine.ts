/** What the work says while it runs, line by line, for people to read. */
import * as Schema from "effect/Schema"
import type { ExecutionId } from "../shared/Ids.ts"

/** Lines that are kept of an execution: the newest. */
export const logLinesMax = 1_000

/** Longest message in code points. */
export const logMessageLengthMax = 4_096

export const LogLevel = Schema.Literals(["debug", "info", "warn", "error"])
export type LogLevel = typeof LogLevel.Type

/** A line as its runner sends it. */
export interface SaidLine {
  readonly level: LogLevel
  readonly message: string
  /** How long ago it was written. */
  readonly ageMillis: number
  /** Counted by the runner under one epoch, so that a line that is sent again is kept once; null if it does not count. */
  readonly number: number | null
}

/** Lines about an execution, under the epoch that its runner holds. */
export interface LinesOn {
  readonly executionId: ExecutionId
  readonly epoch: number
  readonly lines: ReadonlyArray<SaidLine>
}

export const LogLine = Schema.Struct({
  /** Counted from 1. Old lines go, and their numbers with them. */
  sequence: Schema.Int,
  at: Schema.DateTimeUtc,
  level: LogLevel,
  message: Schema.String,
  /** The attempt that wrote it. */
  attempt: Schema.Int
})
export type LogLine = typeof LogLine.Type

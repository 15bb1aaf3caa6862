/** How far work has come, as it says itself. Only the latest report is kept. */
import * as Schema from "effect/Schema"
import type { ExecutionId } from "../shared/Ids.ts"

/** What a runner reports with a heartbeat; null where it says nothing. */
export interface Report {
  readonly percent: number | null
  readonly message: string | null
  readonly step: string | null
}

/** A report on one execution, under the epoch that its runner holds. */
export interface ReportOn extends Report {
  readonly executionId: ExecutionId
  readonly epoch: number
}

export const Progress = Schema.Struct({
  percent: Schema.NullOr(Schema.Finite),
  message: Schema.NullOr(Schema.String),
  step: Schema.NullOr(Schema.String),
  at: Schema.DateTimeUtc
})
export type Progress = typeof Progress.Type

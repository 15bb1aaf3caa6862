/** Rows of runner sessions. */
import { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { columnsOf, rowTable } from "../rows/RowTable.ts"

/** Columns of a row of `runner_sessions`. */
export const ofSession = columnsOf(RunnerSession, "")

export const sessionTable = rowTable(ofSession, RunnerSession)

/** Sessions of runners as their rows hold them. */
import { RunnerSession } from "@runhook/core/domain/run/RunnerSession"
import { columnsOf, rowTable } from "../rows/RowTable.ts"

/** Of a row of `runner_sessions`. */
export const ofSession = columnsOf(RunnerSession, "")

export const sessionTable = rowTable(ofSession, RunnerSession)

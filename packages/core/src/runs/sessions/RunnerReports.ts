/** Keeps what runners report of their work with their heartbeats. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { epochMax } from "../Lease.ts"
import type { LinesOn } from "../LogLine.ts"
import type { ReportOn } from "../Progress.ts"
import type { RunnerSession } from "./RunnerSession.ts"
import { HistoryStore } from "../../executions/history/HistoryStore.ts"
import { Signals, type Topic } from "../../signals/Signals.ts"
import { changeOf } from "../../signals/ChangeSignals.ts"

/** What a heartbeat says of the work, beside that it goes on. */
export interface BeatReports {
  readonly reports?: ReadonlyArray<ReportOn>
  readonly logs?: ReadonlyArray<LinesOn>
}

/** No real epoch is larger. */
const current = <On extends { readonly epoch: number }>(said: ReadonlyArray<On> = []) =>
  said.filter(({ epoch }) => epoch <= epochMax)

export const makeKeepReports = Effect.gen(function* () {
  const history = yield* HistoryStore
  const signals = yield* Signals

  /** Most heartbeats report nothing, and then cost nothing more. */
  return Effect.fnUntraced(function* ({ accountId, id: sessionId }: RunnerSession, told: BeatReports) {
    const reports = current(told.reports)
    const said = current(told.logs)
    if (reports.length === 0 && said.length === 0) return
    const at = yield* DateTime.now
    if (reports.length > 0) yield* history.report({ accountId, sessionId, reports, at })
    if (said.length > 0) yield* history.log({ accountId, sessionId, said, at })
    yield* signals.notify([
      ...[...reports, ...said].map(({ executionId }): Topic => `execution:${executionId}`),
      ...reports.map(({ executionId }) =>
        changeOf(accountId, "execution", { id: executionId, state: null, isNew: false })
      )
    ])
  })
})

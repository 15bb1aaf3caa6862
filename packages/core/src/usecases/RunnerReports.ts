/** Keeps what runners report of their work with their heartbeats. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { epochMax } from "../domain/run/Lease.ts"
import type { ReportOn } from "../domain/run/Progress.ts"
import type { RunnerSession } from "../domain/run/RunnerSession.ts"
import { HistoryStore } from "../ports/HistoryStore.ts"
import { Signals, type Topic } from "../ports/Signals.ts"
import { changeOf } from "../runtime/ChangeSignals.ts"

export const makeKeepReports = Effect.gen(function* () {
  const history = yield* HistoryStore
  const signals = yield* Signals

  /** Most heartbeats report nothing, and then cost nothing more. */
  return Effect.fnUntraced(function* ({ accountId, id }: RunnerSession, said: ReadonlyArray<ReportOn> = []) {
    const reports = said.filter(({ epoch }) => epoch <= epochMax)
    if (reports.length === 0) return
    yield* history.report({ accountId, sessionId: id, reports, at: yield* DateTime.now })
    yield* signals.notify(
      reports.flatMap(({ executionId: told }): ReadonlyArray<Topic> => [
        `execution:${told}`,
        changeOf(accountId, "execution", { id: told, state: null, isNew: false })
      ])
    )
  })
})

/** The history, progress and deliveries of executions in memory. */
import { aheadMax } from "@runhook/core/executions/history/Explanation"
import type { HistoryEvent } from "@runhook/core/executions/history/HistoryEvent"
import { isWaiting } from "@runhook/core/executions/RescheduleRequest"
import { type LinesOn, type LogLine, logLinesMax } from "@runhook/core/runs/LogLine"
import type { Run } from "@runhook/core/runs/Run"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { MemoryDatabase, type StoredLine, type Tables } from "../MemoryDatabase.ts"
import { findRun } from "../runs/moves/Moves.ts"
import { byRank } from "../runs/moves/RunTable.ts"
import { transaction } from "../tables/Transaction.ts"

export const layer = Layer.effect(
  HistoryStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { artifacts, deliveries, logs, progress, runs } = tables

    return HistoryStore.of({
      events: ({ after, limit, ...ref }) =>
        transaction(() =>
          Result.map(findRun(tables, ref), ({ execution }): ReadonlyArray<HistoryEvent> =>
            runs.eventsOf(execution.id).slice(after, after + limit)
          )
        ),

      changedSince: (known) =>
        Effect.sync(() =>
          known
            .filter(({ accountId, after, afterLine, id, ...seen }) => {
              const run = runs.get(id)
              const line = logs.get(id)?.at(-1)?.sequence ?? 0
              const ready = (artifacts.get(id) ?? []).filter(({ isReady }) => isReady).length
              const { at } = progress.get(id) ?? { at: seen.reportedAt }
              return (
                run?.execution.accountId !== accountId ||
                run.revision > after ||
                line > (afterLine ?? Number.POSITIVE_INFINITY) ||
                ready !== (seen.artifacts ?? ready) ||
                (seen.reportedAt !== undefined && at?.epochMilliseconds !== seen.reportedAt.epochMilliseconds)
              )
            })
            .map(({ id }) => id)
        ),

      report: ({ accountId, at, reports, sessionId }) =>
        Effect.sync(() => {
          for (const { epoch, executionId, ...said } of reports) {
            const run = runs.get(executionId)
            const isHeld =
              run?.execution.accountId === accountId &&
              run.lease?.sessionId === sessionId &&
              run.lease.epoch === epoch &&
              run.execution.status !== "queued"
            if (isHeld) progress.set(executionId, { ...said, at })
          }
        }),

      log: ({ accountId, at, said, sessionId }) =>
        Effect.sync(() => {
          for (const { epoch, executionId, lines } of said) {
            const run = runs.get(executionId)
            const isHeld =
              run?.execution.accountId === accountId &&
              (sessionId === null || run.lease?.sessionId === sessionId) &&
              run.lease?.epoch === epoch &&
              run.execution.status !== "queued"
            if (!isHeld) continue
            const before = logs.get(executionId) ?? []
            const { attempt } = run.execution
            logs.set(executionId, withLines(before, { attempt, at, epoch, lines }))
          }
        }),

      lines: ({ after, limit, ...ref }) =>
        transaction(() =>
          Result.map(findRun(tables, ref), () =>
            (logs.get(ref.id) ?? [])
              .filter(({ sequence }) => sequence > after)
              .slice(0, limit)
              .map((line): LogLine => Struct.omit(line, ["epoch", "number"]))
          )
        ),

      progress: (ref) => transaction(() => Result.map(findRun(tables, ref), () => progress.get(ref.id))),

      ahead: ({ at, ...ref }) =>
        transaction(() => Result.map(findRun(tables, ref), (run) => aheadOf(tables, run, at))),

      seatsTaken: ({ accountId, id }) =>
        Effect.sync(() => {
          const run = runs.get(id)
          return run?.execution.accountId !== accountId || !isWaiting(run) || runs.hasSeat(run)
            ? null
            : runs.seatsOf(run).size
        }),

      deliveriesOf: ({ accountId, ids }) =>
        Effect.sync(
          () =>
            new Map(
              ids.flatMap((id) => {
                const found = deliveries
                  .ofExecution(id)
                  .filter((each) => each.accountId === accountId && each.endpointId === null)
                return found.length === 0
                  ? []
                  : [[id, found.map((each) => Struct.omit(each, ["body", "traceparent"]))]]
              })
            )
        )
    })
  })
)

const withLines = (
  before: ReadonlyArray<StoredLine>,
  {
    at,
    attempt,
    epoch,
    lines
  }: Omit<LinesOn, "executionId"> & { readonly attempt: number; readonly at: DateTime.Utc }
): ReadonlyArray<StoredLine> => {
  const last = before.at(-1)
  const known = last?.epoch === epoch ? (last.number ?? 0) : 0
  const fresh = lines
    .filter(({ number }) => number === null || number > known)
    .map(({ ageMillis, ...line }, index): StoredLine => ({
      ...line,
      sequence: (last?.sequence ?? 0) + index + 1,
      at: DateTime.subtractDuration(at, ageMillis),
      attempt,
      epoch
    }))
  return [...before, ...fresh].slice(-logLinesMax)
}

const aheadOf = ({ runs }: Tables, run: Run, at: DateTime.Utc): number => {
  if (run.execution.status !== "queued" || !isWaiting(run)) return 0
  const waiting = runs.index.waitingOfAgent.of(run.execution.agentId)
  const due = Iterable.filter(waiting, (other) => DateTime.isLessThanOrEqualTo(other.dueAt, at))
  const before = Iterable.filter(due, (other) => byRank(other, run) < 0)
  return Iterable.size(Iterable.take(before, aheadMax))
}

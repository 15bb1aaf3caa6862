/** What is pruned of each kind, in memory. */
import { isForgotten as isReceiverForgotten } from "@runhook/core/deliveries/claim/Receiver"
import { jobForgottenAt } from "@runhook/core/jobs/Job"
import { keptFor } from "@runhook/core/people/PersonSession"
import {
  auditKeptSince,
  countsKept,
  executionsKeptSince,
  forgottenAt,
  hoursKept,
  prunableWith,
  receiversKept
} from "@runhook/core/sweeps/Retention"
import { isForgotten } from "@runhook/core/runs/sessions/RunnerSession"
import type { Prunable, PruneCount, PruneRound } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Iterable from "effect/Iterable"
import { eraseAccounts } from "../accounts/EraseAccounts.ts"
import { pruneUploads } from "../artifacts/PruneUploads.ts"
import { removeExecution } from "../executions/RemoveExecution.ts"
import type { Tables } from "../MemoryDatabase.ts"
import { latestHour } from "../usage/LatestHour.ts"

/** Deletes up to `limit` rows of each table that may go. */
const drop = ({ limit }: PruneRound, ...counts: ReadonlyArray<(limit: number) => number>): PruneCount => {
  const pruned = counts.map((count) => count(limit))
  return {
    pruned: pruned.reduce((sum, count) => sum + count, 0),
    hasMore: pruned.some((count) => count === limit)
  }
}

/** The rows of a table that may go. */
const rowsOf =
  <Key, Row>(table: Map<Key, Row>, mayGo: (row: Row, key: Key) => boolean) =>
  (limit: number): number => {
    const old = [
      ...Iterable.take(
        Iterable.filter(table, ([key, row]) => mayGo(row, key)),
        limit
      )
    ]
    for (const [key] of old) table.delete(key)
    return old.length
  }

/** Whether a moment has come; null never does. */
const hasCome = (moment: DateTime.Utc | null, { at }: PruneRound): boolean =>
  moment !== null && DateTime.isLessThanOrEqualTo(moment, at)

type Prune = (tables: Tables, round: Required<PruneRound>) => PruneCount

export const pruners: { readonly [Of in Prunable]: Prune } = {
  expired: ({ cancels, idempotency, replays, sessions }, round) =>
    drop(
      round,
      rowsOf(idempotency, ({ expiresAt }) => hasCome(expiresAt, round)),
      rowsOf(sessions, (session) => isForgotten(session, round.at)),
      rowsOf(replays, (job) => hasCome(jobForgottenAt(job), round)),
      rowsOf(cancels, (job) => hasCome(jobForgottenAt(job), round))
    ),

  /** Keys without seats are not kept at all (`RunTable`). */
  remnants: ({ checkpoints, runs }, round) =>
    drop(
      round,
      rowsOf(checkpoints, (_, id) => runs.get(id)?.execution.stoppedAt !== null)
    ),

  deliveries: ({ attempts, deliveries }, round) =>
    drop(round, (limit) => {
      const old = Iterable.filter(deliveries.values(), (delivery) =>
        hasCome(forgottenAt(delivery, round.retention), round)
      )
      const pruned = [...Iterable.take(old, limit)]
      for (const delivery of pruned) {
        deliveries.delete(delivery)
        attempts.delete(delivery.id)
      }
      return pruned.length
    }),

  receivers: ({ receivers }, round) =>
    drop(
      round,
      rowsOf(receivers, (state) => isReceiverForgotten(state, round.at))
    ),

  executions: (tables, round) =>
    drop(round, (limit) => {
      const old = Iterable.flatMap(tables.accounts.values(), (account) => {
        const until = executionsKeptSince(round.retention, account, round.at)
        return Iterable.filter(
          tables.runs.index.ofAccount.of(account.id),
          ({ execution: { id, stoppedAt } }) =>
            until !== null &&
            stoppedAt !== null &&
            DateTime.isLessThanOrEqualTo(stoppedAt, until) &&
            tables.deliveries.ofExecution(id).every(({ state }) => prunableWith.includes(state))
        )
      })
      const pruned = [...Iterable.take(old, limit)]
      for (const run of pruned) removeExecution(tables, run)
      return pruned.length
    }),

  accounts: eraseAccounts,

  audit: ({ audit }, round) => {
    const before = auditKeptSince(round.retention, round.at)
    return drop(
      round,
      rowsOf(audit, (_, id) => id < before)
    )
  },

  uploads: pruneUploads,

  people: ({ consoleLinks, consoleSessions }, round) => {
    const isOver = ({ expiresAt }: { readonly expiresAt: DateTime.Utc }) =>
      hasCome(DateTime.addDuration(expiresAt, keptFor), round)
    return drop(round, rowsOf(consoleLinks, isOver), rowsOf(consoleSessions, isOver))
  },

  counts: ({ usage }, round) => {
    const { counts = countsKept } = round.retention
    const isOld = (began: DateTime.Utc | null, kept: Duration.Duration) =>
      hasCome(began && DateTime.addDuration(began, kept), round)
    return drop(
      round,
      rowsOf(usage.sums, ({ at, span }) => span === "hour" && isOld(at, hoursKept(round.retention))),
      rowsOf(usage.sums, ({ at, span }) => span === "day" && isOld(at, counts)),
      rowsOf(usage.receiverSums, ({ at }) => isOld(at, receiversKept)),
      rowsOf(usage.lastAttempts, (last) => isOld(latestHour(last), counts))
    )
  }
}

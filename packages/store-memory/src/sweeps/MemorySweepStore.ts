/** The sweeps in memory. */
import { isForgotten as isReceiverForgotten } from "@runhook/core/domain/delivery/Receiver"
import { jobForgottenAt } from "@runhook/core/domain/Job"
import {
  auditKeptSince,
  executionsKeptSince,
  forgottenAt as deliveryForgottenAt,
  prunableWith,
  type Retention
} from "@runhook/core/domain/Retention"
import { expire, timeOut } from "@runhook/core/domain/run/EndMoves"
import { expireInput } from "@runhook/core/domain/run/InputMoves"
import { loseLease } from "@runhook/core/domain/run/LeaseMoves"
import type { Change, Run } from "@runhook/core/domain/run/Run"
import { forgottenAt, isForgotten } from "@runhook/core/domain/run/RunnerSession"
import { type SweepRound, SweepStore } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { eraseAccounts } from "../accounts/EraseAccounts.ts"
import { pruneUploads } from "../artifacts/PruneUploads.ts"
import { pruneKeys } from "../executions/IdempotencyKeys.ts"
import { removeExecution } from "../executions/RemoveExecution.ts"
import { giveSeats } from "../runs/GiveSeats.ts"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"
import { makeMoves } from "../moves/Moves.ts"
import type { Timetable } from "../moves/Timetable.ts"

export const layer = Layer.effect(
  SweepStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { move } = yield* makeMoves
    const { deadlines, inputEnds, leaseEnds, startEnds } = tables.runs.index

    /** Each run is a turn of its own, and its step looks again: another sweep may have been faster. */
    const sweep = (timetable: Timetable, step: (run: Run, at: DateTime.Utc) => Change) =>
      Effect.fnUntraced(function* (round: SweepRound) {
        const changes = yield* Effect.forEach(timetable.due(round), ({ execution }) =>
          Effect.orDie(move(execution, (run) => Result.succeed(step(run, round.at))))
        )
        return changes.filter(({ changed }) => changed)
      })

    const dueTimes = function* () {
      for (const { next } of [deadlines, inputEnds, leaseEnds, startEnds]) if (next !== null) yield next
      for (const { expiresAt } of tables.idempotency.values()) yield expiresAt
      for (const session of tables.sessions.values()) yield forgottenAt(session)
      for (const jobs of [tables.replays, tables.cancels])
        yield* Iterable.flatMapNullishOr(jobs.values(), jobForgottenAt)
    }

    return SweepStore.of({
      nextDueAt: () => Effect.sync(() => Iterable.reduce(dueTimes(), null, earlier)),
      expireLeases: sweep(leaseEnds, loseLease),
      timeOutRuns: sweep(deadlines, timeOut),
      expireInputs: sweep(inputEnds, expireInput),
      expireExecutions: sweep(startEnds, expire),
      giveSeats: (round) => Effect.sync(() => giveSeats(tables.runs, round)),
      nextSeatAt: (at) =>
        Effect.sync(() => {
          if (tables.runs.seatNews.size > 0) return at
          const [next] = tables.runs.unseatedAfter(tables.runs.seatsGivenAt)
          const looks = Iterable.map(tables.runs.seatLooks.values(), (look) => look.at)
          return Iterable.reduce(looks, next?.dueAt ?? null, earlier)
        }),
      prune: ({ at, limit }) =>
        Effect.sync(() => {
          const keys = pruneKeys(tables, { at, limit })
          const sessions = pruneSessions(tables, { at, limit: limit - keys })
          const replays = pruneJobs(tables.replays, { at, limit: limit - keys - sessions })
          const left = limit - keys - sessions - replays
          return keys + sessions + replays + pruneJobs(tables.cancels, { at, limit: left })
        }),
      pruneRemnants: (round) => Effect.sync(() => pruneCheckpoints(tables, round)),
      pruneDeliveries: (round) => Effect.sync(() => pruneDeliveries(tables, round)),
      pruneExecutions: (round) => Effect.sync(() => pruneExecutions(tables, round)),
      eraseAccounts: (round) => Effect.sync(() => eraseAccounts(tables, round)),
      pruneAudit: (round) => Effect.sync(() => pruneAudit(tables, round)),
      pruneUploads: (round) => Effect.sync(() => pruneUploads(tables, round)),
      leftOvers: (limit) => Effect.sync(() => [...Iterable.take(tables.leftOvers.values(), limit)]),
      strays: (names) =>
        Effect.sync(() =>
          names.filter(
            ({ accountId, executionId, id }) =>
              (tables.accounts.has(accountId) || tables.removedAccounts.has(accountId)) &&
              !(tables.artifacts.get(executionId) ?? []).some((artifact) => artifact.id === id) &&
              !tables.leftOvers.has(id)
          )
        ),
      dropLeftOvers: (leftOvers) =>
        Effect.sync(() => {
          for (const { id } of leftOvers) tables.leftOvers.delete(id)
        })
    })
  })
)

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc): DateTime.Utc =>
  one === null ? other : DateTime.min(one, other)

const pruneSessions = (tables: Tables, { at, limit }: SweepRound): number => {
  const silent = Iterable.filter(tables.sessions.values(), (session) => isForgotten(session, at))
  const pruned = [...Iterable.take(silent, limit)]
  for (const { id } of pruned) tables.sessions.delete(id)
  return pruned.length
}

const pruneJobs = <Id, Of extends Parameters<typeof jobForgottenAt>[0] & { readonly id: Id }>(
  jobs: Map<Id, Of>,
  { at, limit }: SweepRound
): number => {
  const old = Iterable.filter(jobs.values(), (job) => {
    const due = jobForgottenAt(job)
    return due !== null && DateTime.isLessThanOrEqualTo(due, at)
  })
  const pruned = [...Iterable.take(old, limit)]
  for (const { id } of pruned) jobs.delete(id)
  return pruned.length
}

/** Keys without seats are not kept at all (`RunTable`). */
const pruneCheckpoints = ({ checkpoints, runs }: Tables, { limit }: SweepRound) => {
  const ended = Iterable.filter(checkpoints.keys(), (id) => runs.get(id)?.execution.stoppedAt !== null)
  const pruned = [...Iterable.take(ended, limit)]
  for (const id of pruned) checkpoints.delete(id)
  return { hasMore: pruned.length === limit }
}

const pruneExecutions = (
  tables: Tables,
  { at, limit, retention }: SweepRound & { readonly retention: Retention }
) => {
  const old = Iterable.flatMap(tables.accounts.values(), (account) => {
    const until = executionsKeptSince(retention, account, at)
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
  return { pruned: pruned.length, hasMore: pruned.length === limit }
}

const pruneAudit = (
  { audit }: Tables,
  { at, limit, retention }: SweepRound & { readonly retention: Retention }
) => {
  const before = auditKeptSince(retention, at)
  const old = Iterable.filter(audit.keys(), (id) => id < before)
  const pruned = [...Iterable.take(old, limit)]
  for (const id of pruned) audit.delete(id)
  return { pruned: pruned.length, hasMore: pruned.length > 0 }
}

const pruneDeliveries = (
  { attempts, deliveries, receivers }: Tables,
  { at, limit, retention }: SweepRound & { readonly retention: Retention }
) => {
  const old = Iterable.filter(deliveries.values(), (delivery) => {
    const time = deliveryForgottenAt(delivery, retention)
    return time !== null && DateTime.isLessThanOrEqualTo(time, at)
  })
  const pruned = [...Iterable.take(old, limit)]
  for (const delivery of pruned) {
    deliveries.delete(delivery)
    attempts.delete(delivery.id)
  }
  for (const [key, state] of receivers) if (isReceiverForgotten(state, at)) receivers.delete(key)
  return { pruned: pruned.length, hasMore: pruned.length === limit }
}

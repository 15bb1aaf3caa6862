/** The sweeps in memory. */
import { jobForgottenAt } from "@runhook/core/jobs/Job"
import { retentionDefault } from "@runhook/core/sweeps/Retention"
import { expire, timeOut } from "@runhook/core/runs/EndMoves"
import { expireInput } from "@runhook/core/runs/InputMoves"
import { loseLease } from "@runhook/core/runs/LeaseMoves"
import type { Change, Run } from "@runhook/core/runs/Run"
import { forgottenAt } from "@runhook/core/runs/sessions/RunnerSession"
import { type SweepRound, SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { giveSeats } from "../runs/GiveSeats.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { makeMoves } from "../runs/moves/Moves.ts"
import type { Timetable } from "../runs/moves/Timetable.ts"
import { pruners } from "./Pruners.ts"

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
      prune: (of, { at, limit, retention = retentionDefault }) =>
        Effect.sync(() => pruners[of](tables, { at, limit, retention })),
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

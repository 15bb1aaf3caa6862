/** Gives the free seats of concurrency keys to what is due and waits for them. */
import { concurrencyLimitMax } from "@runhook/core/runs/seats/Concurrency"
import type { Execution } from "@runhook/core/executions/Execution"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import type { Run } from "@runhook/core/runs/Run"
import type { SweepRound } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Iterable from "effect/Iterable"
import type { RunTable } from "./moves/RunTable.ts"

/** What is in the way of others is named again after this long. */
const lookAgainAfter = Duration.seconds(1)

/** Where a run takes the last seat, and when it needs none. */
const limitOf = ({ execution }: Run): number => execution.concurrency?.limit ?? 0

export const giveSeats = (runs: RunTable, { at, limit }: SweepRound) => {
  const isDue = ({ dueAt }: Pick<Run, "dueAt">) => DateTime.isLessThanOrEqualTo(dueAt, at)
  for (const run of Iterable.takeWhile(runs.unseatedAfter(runs.seatsGivenAt), isDue)) runs.noteSeats(run)
  for (const [key, { at: againAt, run }] of runs.seatLooks) {
    if (!isDue({ dueAt: againAt })) continue
    runs.seatLooks.delete(key)
    runs.noteSeats(run)
  }
  runs.seatsGivenAt = DateTime.max(at, runs.seatsGivenAt)
  const news = [...Iterable.take(runs.seatNews, limit)]
  const given = news.map(([key, run]) => {
    runs.seatNews.delete(key)
    return giveOf(runs, run, at)
  })
  return {
    keys: news.length,
    seated: given.flatMap(({ seated }) => seated).map(({ execution }) => execution),
    inTheWay: given.flatMap(({ inTheWay }) => inTheWay)
  }
}

const giveOf = (runs: RunTable, of: Run, at: DateTime.Utc) => {
  const cancelled = new Map<
    ExecutionId,
    Pick<Execution, "accountId" | "id"> & { readonly since: DateTime.Utc }
  >()
  const cancelling = new Set<Run>()
  for (const run of dueOf(runs, of, at)) {
    if (run.execution.concurrency?.policy !== "cancel_running") break
    for (const { execution } of Iterable.drop(runs.unfinishedBefore(run), limitOf(run) - 1)) {
      const { accountId, id } = execution
      const since = DateTime.min(run.dueAt, cancelled.get(id)?.since ?? run.dueAt)
      cancelled.set(id, { accountId, id, since })
      cancelling.add(run)
    }
  }
  for (const run of cancelling) runs.lookAgain(run, DateTime.addDuration(at, lookAgainAfter))
  const seated: Array<Run> = []
  let taken = runs.seatsOf(of).size
  // Read before: a seat takes a run out of them.
  const due = [...Iterable.take(dueOf(runs, of, at), concurrencyLimitMax + 1)]
  for (const run of due) {
    if (taken >= limitOf(run) || cancelling.has(run)) break
    if (cancelled.has(run.execution.id)) continue
    runs.seat(run)
    seated.push(run)
    taken++
  }
  return { seated, inTheWay: [...cancelled.values()] }
}

/** What is due and waits for a seat of the key of a run, in order. */
const dueOf = (runs: RunTable, of: Run, at: DateTime.Utc): Iterable<Run> =>
  Iterable.filter(runs.unseatedWith(of), ({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, at))

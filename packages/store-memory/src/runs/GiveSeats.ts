/** Gives the free seats of concurrency keys to what is due and waits for them. */
import type { Run } from "@runhook/core/domain/run/Run"
import type { SweepRound } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Iterable from "effect/Iterable"
import type { RunTable } from "../moves/RunTable.ts"

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
  const seated: Array<Run> = []
  for (;;) {
    const next = nextOf(runs, of, at)
    const taken = runs.seatsOf(of).size
    if (next === undefined) return { seated, inTheWay: [] }
    if (taken >= limitOf(next)) {
      const cancels = next.execution.concurrency?.policy === "cancel_running"
      const oldest = [...runs.seatsOf(of)].toSorted()
      const ids = cancels ? oldest.slice(0, taken + 1 - limitOf(next)) : []
      if (cancels) runs.lookAgain(next, DateTime.addDuration(at, lookAgainAfter))
      return { seated, inTheWay: ids.map((id) => ({ accountId: next.execution.accountId, id })) }
    }
    runs.seat(next)
    seated.push(next)
  }
}

const nextOf = (runs: RunTable, of: Run, at: DateTime.Utc): Run | undefined => {
  for (const run of runs.unseatedWith(of)) if (DateTime.isLessThanOrEqualTo(run.dueAt, at)) return run
  return undefined
}

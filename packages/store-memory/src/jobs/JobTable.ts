/** What all jobs have in common, in memory. */
import type { calledOff } from "@runhook/core/jobs/Job"
import type { JobName, JobQueue } from "@runhook/core/jobs/JobQueue"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"

type Job<Id> = Parameters<typeof calledOff>[0] & JobName<Id>

const movedOnFirst = Order.combine(
  Order.mapInput(DateTime.Order, ({ updatedAt }: Job<string>) => updatedAt),
  Order.mapInput(Order.String, ({ id }: Job<string>) => id)
)

export const makeJobTable = <Id extends string, Of extends Job<Id>>(table: Map<Id, Of>) => {
  const put = <New extends Of>(job: New): New => {
    table.set(job.id, job)
    return job
  }
  const running = (isOf: (job: Of) => boolean): ReadonlyArray<Of> =>
    Array.sort(
      [...table.values()].filter((job) => job.status === "running" && isOf(job)),
      movedOnFirst
    )
  const queue: JobQueue<Id> = {
    due: ({ at, limit }) =>
      Effect.sync(() =>
        running(({ retryAt }) => retryAt === null || DateTime.isLessThanOrEqualTo(retryAt, at))
          .slice(0, limit)
          .map(({ accountId, id }) => ({ accountId, id }))
      ),
    putOff: ({ id }, { at, by }) =>
      Effect.sync(() => {
        const job = table.get(id)
        if (job !== undefined) put({ ...job, retryAt: DateTime.addDuration(at, by) })
      })
  }
  return { put, queue, running }
}

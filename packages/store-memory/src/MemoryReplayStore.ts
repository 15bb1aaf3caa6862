/** Replay jobs in memory. */
import * as Delivering from "@runhook/core/domain/Delivering"
import { advanced, calledOff, concerns, ReplayJob } from "@runhook/core/domain/ReplayJob"
import { ReplayNotFound, type ReplayRef, ReplayStore } from "@runhook/core/ports/ReplayStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { matches } from "./DeliveryFilters.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { storedAs } from "./StoredAs.ts"
import { transaction } from "./Transaction.ts"

const storedJob = storedAs(ReplayJob)

const byId = Order.mapInput(Order.String, ({ id }: { readonly id: string }) => id)

const movedOnFirst = Order.combine(
  Order.mapInput(DateTime.Order, ({ updatedAt }: ReplayJob) => updatedAt),
  byId
)

export const layer = Layer.effect(
  ReplayStore,
  Effect.gen(function* () {
    const { deliveries, replays } = yield* MemoryDatabase

    const put = (job: ReplayJob): ReplayJob => {
      replays.set(job.id, job)
      return job
    }

    const find = ({ accountId, apiKeyId, id }: ReplayRef): Result.Result<ReplayJob, ReplayNotFound> => {
      const job = replays.get(id)
      const isOwn = apiKeyId === null || job?.filter.apiKeyId === apiKeyId
      return job?.accountId === accountId && isOwn
        ? Result.succeed(job)
        : Result.fail(new ReplayNotFound({ id }))
    }

    /** What a job has yet to look at. */
    const unseen = ({ accountId, filter, lastSeenId }: ReplayJob) =>
      Iterable.filter(
        deliveries.values(),
        (delivery) =>
          delivery.accountId === accountId &&
          filter.states.some((state) => state === delivery.state) &&
          (lastSeenId === null || delivery.id > lastSeenId)
      )

    const bite = (job: ReplayJob, { at, limit }: { readonly at: DateTime.Utc; readonly limit: number }) => {
      const seen = Array.sort(unseen(job), byId).slice(0, limit)
      const chosen = seen.filter((delivery) => concerns(job, delivery) && matches(delivery, job.filter))
      for (const delivery of chosen) deliveries.put(Delivering.replay(delivery, at))
      return advanced(job, { limit, seen: seen.map(({ id }) => id), replayed: chosen.length }, at)
    }

    return ReplayStore.of({
      create: (job) => Effect.sync(() => put(storedJob(job))),

      get: (ref) => transaction(() => find(ref)),

      cancel: (ref, at) => transaction(() => Result.map(find(ref), (job) => put(calledOff(job, at)))),

      advance: (options) =>
        Effect.sync(() => {
          const running = Array.fromIterable(replays.values()).filter(({ status }) => status === "running")
          const [job] = Array.sort(running, movedOnFirst)
          return job === undefined ? null : put(bite(job, options))
        })
    })
  })
)

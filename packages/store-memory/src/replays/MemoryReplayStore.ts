/** Replay jobs in memory. */
import { destinationOf, type Delivery } from "@runhook/core/deliveries/Delivery"
import * as DeliveryMoves from "@runhook/core/deliveries/steps/DeliveryMoves"
import { advanced, concerns, type ReplayFilter, ReplayJob } from "@runhook/core/replays/ReplayJob"
import { calledOff } from "@runhook/core/jobs/Job"
import { type PreviewPart, previewOf } from "@runhook/core/replays/ReplayPreview"
import { isInScope, type KeyScope } from "@runhook/core/keys/KeyScope"
import type { Owner } from "@runhook/core/keys/Owner"
import { ReplayNotFound, type ReplayRef, ReplayStore } from "@runhook/core/replays/ReplayStore"
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { matches } from "../deliveries/history/DeliveryFilters.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { pageOf } from "../tables/Paging.ts"
import { makeJobTable } from "../jobs/JobTable.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

const storedJob = storedAs(ReplayJob)

const byId = Order.mapInput(Order.String, ({ id }: { readonly id: string }) => id)

const isOf = ({ accountId, apiKeyId }: Owner, job: ReplayJob): boolean =>
  job.accountId === accountId && (apiKeyId === null || job.filter.apiKeyId === apiKeyId)

const partOf = ({ createdAt, type, url }: Delivery): PreviewPart => ({
  origin: destinationOf(url),
  type,
  count: 1,
  oldestAt: createdAt,
  newestAt: createdAt
})

export const layer = Layer.effect(
  ReplayStore,
  Effect.gen(function* () {
    const { deliveries, replays, runs } = yield* MemoryDatabase
    const audited = yield* makeAudited

    const { put, queue } = makeJobTable(replays)

    const find = ({ accountId, apiKeyId, id }: ReplayRef): Result.Result<ReplayJob, ReplayNotFound> => {
      const job = replays.get(id)
      return job !== undefined && isOf({ accountId, apiKeyId }, job)
        ? Result.succeed(job)
        : Result.fail(new ReplayNotFound({ id }))
    }

    /** What a job has yet to look at, in its order. */
    const unseen = ({
      accountId,
      filter,
      lastSeenId
    }: Pick<ReplayJob, "accountId" | "filter" | "lastSeenId">) =>
      Array.sort(
        Iterable.filter(
          deliveries.values(),
          (delivery) =>
            delivery.accountId === accountId &&
            filter.states.some((state) => state === delivery.state) &&
            (filter.ids === null || filter.ids.includes(delivery.id)) &&
            (lastSeenId === null || delivery.id > lastSeenId)
        ),
        byId
      )

    const isOfScope = ({ executionId }: Delivery, scope: KeyScope): boolean => {
      const run = executionId === null ? undefined : runs.get(executionId)
      return executionId === null || (run !== undefined && isInScope(scope, run.execution))
    }

    const isMeant = (delivery: Delivery, filter: ReplayFilter): boolean =>
      matches(delivery, filter) &&
      isOfScope(delivery, filter) &&
      (!filter.lastOnly || deliveries.isLast(delivery))

    const advance = (
      job: ReplayJob,
      { at, limit }: { readonly at: DateTime.Utc; readonly limit: number }
    ) => {
      const seen = unseen(job).slice(0, limit)
      const chosen = seen.filter((delivery) => concerns(job, delivery) && isMeant(delivery, job.filter))
      for (const delivery of chosen) deliveries.put(DeliveryMoves.replay(delivery, { at, replayId: job.id }))
      return advanced(job, { limit, seen: seen.map(({ id }) => id), replayed: chosen.length }, at)
    }

    return ReplayStore.of({
      ...queue,

      create: (job, audit) =>
        audited((note) => {
          const row = storedJob(job)
          note(audit?.(row))
          return Result.succeed(put(row))
        }),

      preview: ({ accountId, bounds, filter }) =>
        Effect.sync(() => {
          const seen = unseen({ accountId, filter, lastSeenId: null })
          const found = seen.slice(0, bounds.seen).filter((delivery) => isMeant(delivery, filter))
          const isMore = seen.length > bounds.seen || found.length > bounds.counted
          return previewOf(found.slice(0, bounds.counted).map(partOf), isMore)
        }),

      get: (ref) => transaction(() => find(ref)),

      list: (owner, page) =>
        Effect.sync(() =>
          pageOf(
            Iterable.filter(replays.values(), (job) => isOf(owner, job)),
            page
          )
        ),

      cancel: (ref, at, audit) =>
        audited((note) =>
          Result.map(find(ref), (job) => {
            const after = calledOff(job, at)
            note(audit?.(job, after))
            return put(after)
          })
        ),

      advance: ({ id }, options) =>
        Effect.sync(() => {
          const job = replays.get(id)
          return job?.status === "running" ? put(advance(job, options)) : null
        })
    })
  })
)

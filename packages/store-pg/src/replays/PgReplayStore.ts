/** Replay jobs in PostgreSQL: finds running jobs in all buckets without a lock, then advances one. */
import { previewOf } from "@runhook/core/replays/ReplayPreview"
import { ReplayId } from "@runhook/core/shared/Ids"
import { ReplayNotFound, type ReplayRef, ReplayStore } from "@runhook/core/replays/ReplayStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { makeJobTable } from "../jobs/JobTable.ts"
import { newest, pageOf } from "../sql/Paging.ts"
import { smallint, uuid } from "../sql/Parameters.ts"
import { inserting } from "../sql/Records.ts"
import { decoded, idempotentOrDefect, inOneTransaction, upkeepOrDefect } from "../sql/SqlErrors.ts"
import { PreviewRow, previewReplay } from "./PreviewReplay.ts"
import { makeReplayBatch } from "./ReplayBatch.ts"
import { replayColumns, replayOf, ReplayRow, replayRowOf } from "./ReplayRow.ts"

export const layer = Layer.effect(
  ReplayStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const timeSqlAt = yield* makeTimeSqlAt
    const buckets = yield* Buckets
    const note = yield* makeNote
    const { callOff, isJob, lock, queue } = yield* makeJobTable("webhook_replays", ReplayId)
    const batch = yield* makeReplayBatch

    const jobs = <E, R>(statement: Effect.Effect<ReadonlyArray<object>, E, R>) =>
      Effect.map(decoded(ReplayRow)(statement), (rows) => rows.map(replayOf))

    /** The matching jobs `j` of a bucket, with the outcomes of their deliveries. */
    const found = (bucket: number, meant: Fragment) =>
      jobs(sql`
        SELECT ${sql.literal(replayColumns)}
        FROM webhook_replays j
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(o.delivered), 0)::integer AS delivered, coalesce(sum(o.failed), 0)::integer AS failed
          FROM webhook_replay_outcomes o
          WHERE o.bucket = ${smallint(bucket)} AND o.account_id = j.account_id AND o.replay_id = j.id
        ) AS o
        WHERE j.bucket = ${smallint(bucket)} AND ${meant}`)

    const find = Effect.fnUntraced(function* ({ accountId, apiKeyId, id }: ReplayRef) {
      const bucket = yield* buckets.of(accountId)
      const [job] = yield* found(bucket, isJob(bucket, { accountId, id }))
      const isOwn = apiKeyId === null || job?.filter.apiKeyId === apiKeyId
      return job !== undefined && isOwn ? job : yield* new ReplayNotFound({ id })
    })

    return ReplayStore.of({
      ...queue,

      create: Effect.fnUntraced(function* (job, audit) {
        const bucket = yield* buckets.of(job.accountId)
        const { now } = timeSqlAt(job.createdAt)
        const row = { bucket, ...replayRowOf(job), createdAt: now, updatedAt: now }
        const [stored = job] = yield* jobs(sql`
          -- The job, as stored.
          WITH j AS (
            INSERT INTO webhook_replays ${inserting(sql, "webhook_replays", row)}
            RETURNING *
          )
          SELECT ${sql.literal(replayColumns)}
          FROM j
          CROSS JOIN (SELECT 0 AS delivered, 0 AS failed) AS o`)
        yield* note(audit?.(stored))
        return stored
      }, atomic),

      preview: Effect.fnUntraced(function* (options) {
        const bucket = yield* buckets.of(options.accountId)
        const rows = yield* decoded(PreviewRow)(previewReplay(sql, { ...options, bucket }))
        return previewOf(
          rows.flatMap(({ part }) => part ?? []),
          rows.some(({ isMore }) => isMore)
        )
      }, idempotentOrDefect),

      get: flow(find, idempotentOrDefect),

      list: Effect.fnUntraced(function* ({ accountId, apiKeyId }, page) {
        const bucket = yield* buckets.of(accountId)
        const own = sql.and([
          sql`j.account_id = ${uuid(accountId)}`,
          ...(apiKeyId === null ? [] : [sql`j.api_key_id = ${uuid(apiKeyId)}`])
        ])
        const listed = sql`${own} AND ${newest(sql, "j.id", page)}`
        return pageOf(yield* found(bucket, listed), page)
      }, idempotentOrDefect),

      cancel: Effect.fnUntraced(
        function* (ref, at, audit) {
          const before = yield* find(ref)
          const isEnded = yield* callOff(yield* buckets.of(before.accountId), before, at)
          const after = yield* find(ref)
          if (isEnded) yield* note(audit?.(before, after))
          return after
        },
        (cancelling) => sql.withTransaction(cancelling),
        idempotentOrDefect
      ),

      advance: (name, options) =>
        Effect.gen(function* () {
          const bucket = yield* buckets.of(name.accountId)
          const isMeant = isJob(bucket, name)
          const now = yield* lock(bucket, name, options.at)
          const [job] = now === undefined ? [] : yield* found(bucket, isMeant)
          if (now === undefined || job === undefined) return null
          yield* batch({ ...options, bucket, job, now })
          return (yield* found(bucket, isMeant))[0] ?? null
        }).pipe(sql.withTransaction, upkeepOrDefect)
    })
  })
)

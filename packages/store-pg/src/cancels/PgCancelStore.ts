/** Jobs that cancel executions, in PostgreSQL: finds running jobs in all buckets without a lock, then advances one. */
import { asksForTheSame, CancelJob } from "@runhook/core/domain/execution/CancelJob"
import { JobId } from "@runhook/core/domain/Ids"
import {
  CancelStore,
  JobKeyConflict,
  JobLimitReached,
  JobNotFound,
  type JobRef
} from "@runhook/core/ports/CancelStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Struct from "effect/Struct"
import { Buckets } from "../accounts/Buckets.ts"
import { inPlace, IsDistributed, makeLook } from "../database/Nodes.ts"
import { beginning, makeJobTable } from "../jobs/JobTable.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"
import { integer, json, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import {
  decoded,
  decodedFirst,
  idempotentOrDefect,
  inOneTransaction,
  upkeepOrDefect
} from "../sql/SqlErrors.ts"
import { makeCancelBite } from "./CancelBite.ts"
import { meant, walked } from "./FindUnfinished.ts"

/** Jobs that one call tries to advance: others may be advancing the first ones. */
const jobsTried = 8

const given = ["actor", "endsAs", "filter", "reason", "scope"] as const

/** What was asked for, which no statement looks into. */
const Asked = Schema.fromJsonString(Schema.toCodecJson(Schema.Struct(Struct.pick(CancelJob.fields, given))))

const askedText = Schema.encodeSync(Asked)

const CancelRow = Schema.Struct({ ...Struct.omit(CancelJob.fields, given), asked: Asked })

/** The columns of a `CancelRow`, from a job `j`. */
const cancelColumns = listOf(columnsOf(CancelRow, "j.", { asked: "j.asked::text" }))

const CountRow = Schema.Struct({ seen: Schema.Int, matched: Schema.Int })

const IdRow = Schema.Struct({ id: JobId })

export const layer = Layer.effect(
  CancelStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const buckets = yield* Buckets
    const isDistributed = yield* IsDistributed
    const look = yield* makeLook
    const bite = yield* makeCancelBite
    const { callOff, isJob } = yield* makeJobTable("cancel_jobs")

    const jobs = (condition: Fragment) =>
      Effect.map(
        decoded(CancelRow)(sql`SELECT ${sql.literal(cancelColumns)} FROM cancel_jobs j WHERE ${condition}`),
        (rows) => rows.map(({ asked, ...job }): CancelJob => ({ ...job, ...asked }))
      )

    const find = Effect.fnUntraced(function* ({ accountId, apiKeyId, id }: JobRef) {
      const bucket = yield* buckets.of(accountId)
      const [job] = yield* jobs(isJob({ bucket, job: { accountId, id, lastSeenId: null } }))
      return job !== undefined && (apiKeyId === null || job.apiKeyId === apiKeyId)
        ? job
        : yield* new JobNotFound({ id })
    })

    return CancelStore.of({
      count: Effect.fnUntraced(function* ({ job, seenMax }) {
        const bucket = yield* buckets.of(job.accountId)
        const walk = { bucket, isDistributed, job, after: beginning, limit: seenMax + 1 }
        const counted = yield* decodedFirst(CountRow)(sql`
          -- As many as one count looks at, and one more to see whether there are others.
          WITH seen AS MATERIALIZED (${walked(sql, walk)})
          SELECT (SELECT count(*) FROM seen)::integer AS seen,
            (SELECT count(*) FROM ${meant(sql, sql`SELECT id FROM seen`, walk)})::integer AS matched`)
        if (counted === undefined) return 0
        return counted.seen > seenMax ? null : counted.matched
      }, idempotentOrDefect),

      create: Effect.fnUntraced(function* (job, { keySince, limit }) {
        const { accountId, apiKeyId, idempotencyKey } = job
        const bucket = yield* buckets.of(accountId)
        // Those who begin jobs of an account at the same time wait for each other.
        yield* sql`SELECT FROM accounts WHERE id = ${uuid(accountId)} FOR UPDATE`
        const place = inPlace(sql, "j", { bucket, isDistributed })
        if (idempotencyKey !== null) {
          const [made] = yield* jobs(sql`
            j.account_id = ${uuid(accountId)} AND j.idempotency_key = ${text(idempotencyKey)}
              AND j.api_key_id IS NOT DISTINCT FROM ${uuid(apiKeyId)} AND j.created_at > ${timestamptz(keySince)} ${place}
            ORDER BY j.created_at DESC LIMIT 1`)
          if (made !== undefined) {
            return asksForTheSame(made, job)
              ? { job: made, isDuplicate: true }
              : yield* new JobKeyConflict({ id: made.id })
          }
        }
        const running = yield* decoded(IdRow)(sql`
          SELECT j.id FROM cancel_jobs j
          WHERE j.account_id = ${uuid(accountId)} AND j.status = 'running' ${place}
          ORDER BY j.updated_at, j.id
          LIMIT ${integer(limit)}`)
        if (running.length >= limit)
          return yield* new JobLimitReached({ limit, running: running.map(({ id }) => id) })
        yield* sql`
          INSERT INTO cancel_jobs (
            bucket, account_id, id, api_key_id, idempotency_key, asked, status, matched, cancelled, skipped, failed,
            created_at, updated_at
          )
          VALUES (
            ${smallint(bucket)}, ${uuid(accountId)}, ${uuid(job.id)}, ${uuid(apiKeyId)}, ${text(idempotencyKey)},
            ${json(askedText(job))}, ${text(job.status)}, ${integer(job.matched)}, 0, 0, 0,
            ${timestamptz(job.createdAt)}, ${timestamptz(job.updatedAt)}
          )`
        return { job, isDuplicate: false }
      }, inOneTransaction(sql)),

      get: flow(find, idempotentOrDefect),

      cancel: Effect.fnUntraced(function* (ref, at) {
        const { accountId } = yield* find(ref)
        yield* callOff({ bucket: yield* buckets.of(accountId), job: ref, at })
        return yield* find(ref)
      }, idempotentOrDefect),

      advance: Effect.fnUntraced(function* (options) {
        const running = yield* look((within) =>
          jobs(sql`
            j.status = 'running' AND ${within("j")}
            ORDER BY j.updated_at, j.id
            LIMIT ${integer(jobsTried)}`)
        )
        for (const job of running) {
          const bucket = yield* buckets.of(job.accountId)
          const done = yield* sql.withTransaction(bite({ ...options, bucket, job }))
          if (done !== undefined) return done
        }
        return null
      }, upkeepOrDefect)
    })
  })
)

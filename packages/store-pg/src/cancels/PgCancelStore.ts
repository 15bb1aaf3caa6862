/** Jobs that cancel executions, in PostgreSQL: finds running jobs in all buckets without a lock, then advances one. */
import { asksForTheSame, CancelJob } from "@runhook/core/cancels/CancelJob"
import { JobId } from "@runhook/core/shared/Ids"
import {
  CancelStore,
  JobKeyConflict,
  JobLimitReached,
  JobNotFound,
  type JobRef
} from "@runhook/core/cancels/CancelStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Struct from "effect/Struct"
import { Buckets } from "../accounts/Buckets.ts"
import { beginning, makeJobTable } from "../jobs/JobTable.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"
import { takeTurn } from "../engine/Transactions.ts"
import { integer, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { inserting } from "../sql/Records.ts"
import {
  decoded,
  decodedFirst,
  idempotentOrDefect,
  inOneTransaction,
  upkeepOrDefect
} from "../sql/SqlErrors.ts"
import { makeCancelBite } from "./CancelBite.ts"
import { meant, walked } from "./FindUnfinished.ts"

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
    const bite = yield* makeCancelBite
    const { callOff, isJob, lock, queue } = yield* makeJobTable("cancel_jobs", JobId)

    const jobs = (condition: Fragment) =>
      Effect.map(
        decoded(CancelRow)(sql`SELECT ${sql.literal(cancelColumns)} FROM cancel_jobs j WHERE ${condition}`),
        (rows) => rows.map(({ asked, ...job }): CancelJob => ({ ...job, ...asked }))
      )

    const find = Effect.fnUntraced(function* ({ accountId, apiKeyId, id }: JobRef) {
      const bucket = yield* buckets.of(accountId)
      const [job] = yield* jobs(isJob(bucket, { accountId, id }))
      return job !== undefined && (apiKeyId === null || job.apiKeyId === apiKeyId)
        ? job
        : yield* new JobNotFound({ id })
    })

    return CancelStore.of({
      ...queue,

      count: Effect.fnUntraced(function* ({ job, seenMax }) {
        const bucket = yield* buckets.of(job.accountId)
        const walk = { bucket, within: buckets.within(bucket), job, after: beginning, limit: seenMax + 1 }
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
        yield* takeTurn(sql, "cancels", accountId)
        const within = buckets.within(bucket)("j")
        if (idempotencyKey !== null) {
          const [made] = yield* jobs(sql`
            j.account_id = ${uuid(accountId)} AND j.idempotency_key = ${text(idempotencyKey)}
              AND j.api_key_id IS NOT DISTINCT FROM ${uuid(apiKeyId)} AND j.created_at > ${timestamptz(keySince)} AND ${within}
            ORDER BY j.created_at DESC LIMIT 1`)
          if (made !== undefined) {
            return asksForTheSame(made, job)
              ? { job: made, isDuplicate: true }
              : yield* new JobKeyConflict({ id: made.id })
          }
        }
        const running = yield* decoded(IdRow)(sql`
          SELECT j.id FROM cancel_jobs j
          WHERE j.account_id = ${uuid(accountId)} AND j.status = 'running' AND ${within}
          ORDER BY j.updated_at, j.id
          LIMIT ${integer(limit)}`)
        if (running.length >= limit)
          return yield* new JobLimitReached({ limit, running: running.map(({ id }) => id) })
        const row = { bucket, ...Struct.omit(job, given), asked: askedText(job) }
        yield* sql`INSERT INTO cancel_jobs ${inserting(sql, "cancel_jobs", row)}`
        return { job, isDuplicate: false }
      }, inOneTransaction(sql)),

      get: flow(find, idempotentOrDefect),

      cancel: Effect.fnUntraced(function* (ref, at) {
        const { accountId } = yield* find(ref)
        yield* callOff(yield* buckets.of(accountId), ref, at)
        return yield* find(ref)
      }, idempotentOrDefect),

      advance: (name, options) =>
        Effect.gen(function* () {
          const bucket = yield* buckets.of(name.accountId)
          const now = yield* lock(bucket, name, options.at)
          const [job] = now === undefined ? [] : yield* jobs(isJob(bucket, name))
          return now === undefined || job === undefined ? null : yield* bite({ ...options, bucket, job, now })
        }).pipe(sql.withTransaction, upkeepOrDefect)
    })
  })
)

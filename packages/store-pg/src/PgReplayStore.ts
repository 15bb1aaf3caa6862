/** Replay jobs in PostgreSQL: a look over all buckets without a lock, then one statement for the bite. */
import { ReplayNotFound, type ReplayRef, ReplayStore } from "@runhook/core/ports/ReplayStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { texts } from "./Arrays.ts"
import { Buckets } from "./Buckets.ts"
import { biteStatement } from "./deliveries/BiteStatement.ts"
import { StoreClock, nowOf } from "./clock/StoreClock.ts"
import { instant } from "./Instants.ts"
import { decoded, settled, settledRepeatable, settledUpkeep } from "./Outcomes.ts"
import { replayColumns, replayOf, ReplayRow } from "./rows/ReplayRow.ts"

/** Jobs that one call tries to move on: others may be at the first of them. */
const jobsTried = 8

export const layer = Layer.effect(
  ReplayStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const clock = yield* StoreClock
    const buckets = yield* Buckets

    const jobs = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
      Effect.map(decoded(ReplayRow)(statement), (rows) => rows.map(replayOf))

    const find = Effect.fnUntraced(function* ({ accountId, apiKeyId, id }: ReplayRef) {
      const bucket = yield* buckets.of(accountId)
      const [job] = yield* jobs(sql`
        SELECT ${sql.literal(replayColumns)}
        FROM webhook_replays j
        WHERE j.bucket = ${bucket}::smallint AND j.account_id = ${accountId}::uuid AND j.id = ${id}::uuid`)
      const isOwn = apiKeyId === null || job?.filter.apiKeyId === apiKeyId
      return job !== undefined && isOwn ? job : yield* new ReplayNotFound({ id })
    })

    return ReplayStore.of({
      create: Effect.fn("PgReplayStore.create")(function* (job) {
        const { accountId, filter } = job
        const bucket = yield* buckets.of(accountId)
        const now = nowOf(sql, { at: job.createdAt, clock })
        const [stored = job] = yield* jobs(sql`
          INSERT INTO webhook_replays AS j (
            bucket, account_id, id, states, type, api_key_id, execution_id, mention, created_from, created_to,
            status, replayed, created_at, updated_at
          )
          VALUES (
            ${bucket}::smallint, ${accountId}::uuid, ${job.id}::uuid, ${texts(filter.states)}::text[],
            ${filter.type}::text, ${filter.apiKeyId}::uuid, ${filter.executionId}::uuid, ${filter.text}::text,
            ${instant(filter.from)}::timestamptz, ${instant(filter.to)}::timestamptz,
            ${job.status}::text, ${job.replayed}::integer, ${now}, ${now}
          )
          RETURNING ${sql.literal(replayColumns)}`)
        return stored
      }, settled),

      get: Effect.fn("PgReplayStore.get")(find, settledRepeatable),

      cancel: Effect.fn("PgReplayStore.cancel")(function* (ref, at) {
        const { accountId, id } = yield* find(ref)
        const bucket = yield* buckets.of(accountId)
        const now = nowOf(sql, { at, clock })
        const [cancelled] = yield* jobs(sql`
          UPDATE webhook_replays j
          SET status = 'cancelled', updated_at = ${now}, finished_at = ${now}
          WHERE j.bucket = ${bucket}::smallint AND j.account_id = ${accountId}::uuid AND j.id = ${id}::uuid
            AND j.status = 'running'
          RETURNING ${sql.literal(replayColumns)}`)
        return cancelled ?? (yield* find(ref))
      }, settledRepeatable),

      advance: Effect.fn("PgReplayStore.advance")(function* ({ at, limit }) {
        const running = yield* jobs(sql`
          SELECT ${sql.literal(replayColumns)}
          FROM webhook_replays j
          WHERE j.status = 'running'
          ORDER BY j.updated_at, j.id
          LIMIT ${jobsTried}::integer`)
        for (const job of running) {
          const bucket = yield* buckets.of(job.accountId)
          const [advanced] = yield* jobs(biteStatement(sql, { bucket, job, limit, at, clock }))
          if (advanced !== undefined) return advanced
        }
        return null
      }, settledUpkeep)
    })
  })
)

/**
 * Tables as they are after a while. The stores make one execution of each sort
 * (`Samples.ts`), and their rows are copied here, whatever columns they have.
 */
import { makeTimeSqlAt } from "@runhook/store-pg/clock/StoreClock"
import { migrationPatience, patient } from "@runhook/store-pg/connections/Deadline"
import { decoded } from "@runhook/store-pg/sql/SqlErrors"
import { second } from "@runhook/store-testing/Fixtures"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Sample, Samples } from "./Samples.ts"

/** Deliveries of one account that are settled, all in one bucket. A tenth as many wait, and as many are deferred. */
const settledRows = Config.Int("RUNHOOK_PLAN_ROWS").pipe(Config.withDefault(50_000))

/** Milliseconds between the creations of two executions. */
const pace = 10

/** Millions of rows take longer than a store, or PostgreSQL for it, would wait. */
export const unhurried = <A, E, R>(doing: Effect.Effect<A, E, R>) =>
  SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.andThen(
        sql`SELECT set_config('statement_timeout', '0', TRUE), set_config('enable_seqscan', 'on', TRUE)`,
        doing
      )
    )
  ).pipe(patient(migrationPatience))

/** Fills the tables with copies of the samples, without telling PostgreSQL's statistics. */
export const makePast = Effect.fnUntraced(function* ({ executions }: Samples) {
  const settled = yield* settledRows
  yield* unhurried(
    Effect.gen(function* () {
      yield* placeCopies(executions.map((sample) => ({ ...sample, copies: copiesOf(sample, settled) })))
      yield* copyExecutions
      yield* copyDeliveries
      yield* listUndelivered
    })
  )
})

/** Two of an account have ended, with three deliveries each; two wait and two are deferred, with one each. */
const copiesOf = ({ isEnded, isNeighbours }: Sample, settled: number): number =>
  Math.ceil((isEnded ? settled / 6 : settled / 20) / (isNeighbours ? 5 : 1))

/** Tables that grow with the executions. */
export const growing = [
  "execution_requests",
  "executions",
  "execution_results",
  "execution_status",
  "execution_events",
  "ready_queue",
  "delayed_queue",
  "concurrency_queue",
  "idempotency_keys",
  "artifacts",
  "schedules",
  "webhook_deliveries",
  "webhook_queue",
  "webhook_attempts",
  "webhook_dead",
  "webhook_failing"
]

/** Nothing in the tables needs to outlast a crash, so filling is quick. */
export const keepNothing = SqlClient.use((sql) =>
  Effect.forEach(growing, (table) => sql`ALTER TABLE ${sql(table)} SET UNLOGGED`)
)

/** Lets PostgreSQL look at the tables as they are now, and clear them up. */
export const renewStatistics = SqlClient.use(
  (sql) => sql.unsafe(`VACUUM (ANALYZE) ${growing.join(", ")}`).unprepared
).pipe(patient(migrationPatience))

/** Tables whose rows come and go. */
const queues = ["ready_queue", "delayed_queue", "concurrency_queue", "webhook_queue", "webhook_failing"]

/** Takes all rows out of the queues. Answers how they come back. */
export const emptyQueues = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* Effect.forEach(
    queues,
    (table) => sql`CREATE UNLOGGED TABLE ${sql(`kept_${table}`)} AS TABLE ${sql(table)}`
  )
  yield* Effect.forEach(queues, (table) => sql`DELETE FROM ${sql(table)}`)
  return Effect.forEach(
    queues,
    (table) => sql`INSERT INTO ${sql(table)} SELECT * FROM ${sql(`kept_${table}`)} ON CONFLICT DO NOTHING`
  )
})

/** Which sample each copy is of, with an id that carries when it was made: all before the samples. */
const placeCopies = Effect.fnUntraced(function* (
  samples: ReadonlyArray<Sample & { readonly copies: number }>
) {
  const sql = yield* SqlClient
  const { now: start } = (yield* makeTimeSqlAt)(second(0))
  yield* sql`
    CREATE UNLOGGED TABLE copies AS
    SELECT place, at, due_at, sample_id,
      (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(place), 15, '0'))::uuid
        AS id
    FROM (
      SELECT s.id AS sample_id, s."isDeferred" AS is_deferred,
        row_number() OVER (ORDER BY turn::float8 / s.copies, s.id) AS place
      FROM json_to_recordset(${JSON.stringify(samples)}::json) AS s (id uuid, "isDeferred" boolean, copies integer)
      CROSS JOIN LATERAL generate_series(1, s.copies) AS turn
    ) AS placed
    CROSS JOIN LATERAL (
      SELECT (${start} - interval '1 hour' + place * ${pace}::integer * interval '1 millisecond')::timestamptz(3) AS at
    ) AS made
    CROSS JOIN LATERAL (
      SELECT CASE WHEN is_deferred THEN ${start} + interval '1 hour' + place * interval '10 milliseconds' ELSE at END
        ::timestamptz(3) AS due_at
    ) AS due`
})

const copyExecutions = Effect.gen(function* () {
  const ofExecution = { from: "copies", key: "execution_id", values: { execution_id: "c.id" } }
  const due = { ...ofExecution, values: { ...ofExecution.values, due_at: "c.due_at" } }
  yield* copyRows("execution_requests", {
    from: "copies",
    key: "id",
    values: {
      id: "c.id",
      created_at: "c.at",
      // Few share a reference.
      reference: "CASE WHEN c.place % 500 < 12 THEN t.reference ELSE c.id::text END"
    }
  })
  yield* copyRows("executions", {
    from: "copies",
    key: "id",
    values: {
      id: "c.id",
      due_at: "c.due_at",
      // Few must begin in time.
      start_by: "CASE WHEN c.place % 500 < 12 AND t.status = 'queued' THEN c.due_at + interval '30 days' END"
    }
  })
  yield* copyRows("execution_results", ofExecution)
  yield* copyRows("execution_status", ofExecution)
  yield* copyRows("execution_events", ofExecution)
  yield* copyRows("ready_queue", due)
  yield* copyRows("delayed_queue", due)
  yield* copyRows("concurrency_queue", {
    ...due,
    values: { ...due.values, look_at: "CASE WHEN t.look_at IS NOT NULL THEN c.due_at END" }
  })
  yield* copyRows("artifacts", {
    ...ofExecution,
    // Bytes of one in four never came.
    values: { ...ofExecution.values, id: "c.id", is_ready: "c.place / 12 % 4 <> 0" }
  })
  yield* copyRows("idempotency_keys", {
    ...ofExecution,
    values: {
      ...ofExecution.values,
      key: "c.id::text",
      // One in ten has had its time.
      expires_at: "c.at + CASE WHEN c.place / 12 % 10 = 0 THEN interval '0' ELSE interval '7 days' END"
    }
  })
})

/** The deliveries of the copies: due for what is queued, later for what is deferred, made for what has ended. */
const copyDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE UNLOGGED TABLE delivery_copies AS
    SELECT d.id AS sample_id, c.place, c.id AS execution_id, c.at, c.due_at,
      (left(c.id::text, 20) || left(md5(d.id::text || c.place), 15))::uuid AS id
    FROM webhook_deliveries d
    JOIN copies c ON c.sample_id = d.execution_id`
  const ofDelivery = { from: "delivery_copies", key: "delivery_id", values: { delivery_id: "c.id" } }
  yield* copyRows("webhook_deliveries", {
    from: "delivery_copies",
    key: "id",
    values: {
      id: "c.id",
      execution_id: "c.execution_id",
      created_at: "c.at",
      next_attempt_at: "CASE WHEN t.next_attempt_at IS NOT NULL THEN c.due_at END",
      // All have failed, by two causes where it is over and by one where they wait, so that there are long lists of them too.
      state: "CASE t.state WHEN 'delivered' THEN 'dead' ELSE t.state END",
      last_error: "'It failed'",
      last_status: "CASE WHEN t.state = 'pending' THEN 401 WHEN c.place % 2 = 0 THEN 503 END",
      last_cause:
        "CASE WHEN t.state = 'pending' THEN 'unauthorized' WHEN c.place % 2 = 0 THEN 'server_error' ELSE 'dns' END"
    }
  })
  yield* copyRows("webhook_queue", { ...ofDelivery, values: { ...ofDelivery.values, due_at: "c.due_at" } })
  yield* copyRows("webhook_attempts", ofDelivery)
})

const listUndelivered = SqlClient.use((sql) =>
  Effect.andThen(
    sql`
    INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
    SELECT d.bucket, d.account_id, d.id, 'https://example.com', d.last_cause, d.type
    FROM delivery_copies c JOIN webhook_deliveries d ON d.id = c.id AND d.state = 'dead'`,
    sql`
    INSERT INTO webhook_failing (bucket, account_id, delivery_id, cause)
    SELECT d.bucket, d.account_id, d.id, d.last_cause
    FROM delivery_copies c JOIN webhook_deliveries d ON d.id = c.id AND d.state = 'pending'`
  )
)

const ColumnRow = Schema.Struct({ name: Schema.String })

/** Adds the rows of the samples `t` to their table once more for each copy `c`, with some values of its own. */
const copyRows = Effect.fnUntraced(function* (
  table: string,
  options: {
    /** Where the copies are. */
    readonly from: string
    /** The column of the table that names the sample. */
    readonly key: string
    readonly values: { readonly [column: string]: string }
  }
) {
  const sql = yield* SqlClient
  const columns = yield* decoded(ColumnRow)(sql`
    SELECT column_name AS name
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table}::text`)
  const names = columns.map(({ name }) => name)
  yield* sql.unsafe(`
    INSERT INTO ${table} (${names.join(", ")})
    SELECT ${names.map((name) => options.values[name] ?? `t.${name}`).join(", ")}
    FROM ${table} t
    JOIN ${options.from} c ON c.sample_id = t.${options.key}
    ORDER BY c.place`)
})

/**
 * Tables as they are after a while: as many executions queued, deferred and
 * ended each as `RUNHOOK_PLAN_ROWS` says. The stores make one of each sort
 * (`Samples.ts`), and their rows are copied here, whatever columns they have.
 */
import { makeMomentsAt } from "@runhook/store-pg/clock/StoreClock"
import { migrationPatience, patient } from "@runhook/store-pg/connections/Deadline"
import { decoded } from "@runhook/store-pg/sql/SqlErrors"
import { second } from "@runhook/store-testing/Fixtures"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeSamples, type Sample, type Samples } from "./Samples.ts"

/** Executions of each of the three kinds: enough to tell a walk over them from a look at a page. */
const rowsOfKind = Config.Int("RUNHOOK_PLAN_ROWS").pipe(Config.withDefault(20_000))

/** Milliseconds between the creations of two executions. */
const pace = 10

/** Millions of rows take longer than a store, or PostgreSQL for it, would wait. */
const unhurried = <A, E, R>(doing: Effect.Effect<A, E, R>) =>
  SqlClient.use((sql) =>
    sql.withTransaction(Effect.andThen(sql`SET LOCAL statement_timeout = 0`, doing))
  ).pipe(patient(migrationPatience))

export class Filled extends Context.Service<
  Filled,
  Samples & {
    /** When half of the executions had been created. */
    readonly middle: DateTime.Utc
  }
>()("@runhook/store-pg/test/plans/Filled") {
  /** Tables that PostgreSQL has last looked at when they were nearly empty. */
  static readonly layer = Layer.effect(
    Filled,
    Effect.gen(function* () {
      const copies = 3 * (yield* rowsOfKind)
      const samples = yield* makeSamples
      yield* ageStatistics
      yield* unhurried(
        Effect.gen(function* () {
          yield* placeCopies(samples.executions, copies)
          yield* copyExecutions
          yield* copyDeliveries
        })
      )
      return Filled.of({
        ...samples,
        middle: DateTime.subtract(second(0), { milliseconds: (copies * pace) / 2 })
      })
    })
  )
}

/** Tables that grow with the executions. */
export const growing = [
  "execution_requests",
  "executions",
  "execution_results",
  "execution_status",
  "execution_events",
  "ready_queue",
  "delayed_queue",
  "idempotency_keys",
  "artifacts",
  "webhook_deliveries",
  "webhook_queue",
  "webhook_attempts",
  "webhook_dead",
  "webhook_failing"
]

/** Statistics of nearly empty tables, which nobody renews. Nothing in them needs to outlast a crash, so filling is quick. */
const ageStatistics = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* Effect.forEach(growing, (table) => sql`ALTER TABLE ${sql(table)} SET (autovacuum_enabled = false)`)
  yield* Effect.forEach(growing, (table) => sql`ALTER TABLE ${sql(table)} SET UNLOGGED`)
  yield* renewStatistics
})

/** Lets PostgreSQL look at the tables as they are now. */
export const renewStatistics = unhurried(SqlClient.use((sql) => sql`ANALYZE`))

/** Which sample each copy is of, in turns, with an id that carries when it was made: all before the samples. */
const placeCopies = Effect.fnUntraced(function* (samples: ReadonlyArray<Sample>, copies: number) {
  const sql = yield* SqlClient
  const { now: start } = (yield* makeMomentsAt)(second(0))
  const ids = JSON.stringify(samples.map(({ id }) => id))
  const deferred = JSON.stringify(samples.map(({ isDeferred }) => isDeferred))
  yield* sql`
    CREATE UNLOGGED TABLE copies AS
    SELECT place, at, due_at, sample_id,
      (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(place), 15, '0'))::uuid
        AS id
    FROM generate_series(0, ${copies - 1}::integer) AS place
    CROSS JOIN LATERAL (
      SELECT (${ids}::json ->> (place % ${samples.length}::integer))::uuid AS sample_id,
        (${deferred}::json ->> (place % ${samples.length}::integer))::boolean AS is_deferred,
        (${start} - (${copies}::integer - place) * ${pace}::integer * interval '1 millisecond')::timestamptz(3) AS at
    ) AS sample
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
      next_attempt_at: "CASE WHEN t.next_attempt_at IS NOT NULL THEN c.due_at END"
    }
  })
  yield* copyRows("webhook_queue", { ...ofDelivery, values: { ...ofDelivery.values, due_at: "c.due_at" } })
  yield* copyRows("webhook_attempts", ofDelivery)
})

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

/**
 * Processes of one service whose clocks differ, on the clock of a database. A
 * process is what it takes for now; the database's now is none of these.
 */
import type { Execution } from "@runhook/core/executions/Execution"
import { presentMax } from "@runhook/core/runs/sessions/RunnerSession"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as PgStore from "@runhook/store-pg/PgStore"
import { decodedFirst } from "@runhook/store-pg/sql/SqlErrors"
import { plenty, second, type Tenant } from "@runhook/store-testing/Fixtures"
import { newSession } from "@runhook/store-testing/runs/RunFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../TestDatabase.ts"

export const hourAhead = second(3_600)
export const hourBehind = second(-3_600)

/** Who does something first, and who comes after. */
export const pairs: ReadonlyArray<{
  readonly one: DateTime.Utc
  readonly other: DateTime.Utc
  readonly named: string
}> = [
  { one: hourAhead, other: hourBehind, named: "an hour ahead, then one an hour behind" },
  { one: hourBehind, other: hourAhead, named: "an hour behind, then one an hour ahead" }
]

export const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

const NowRow = Schema.Struct({ now: Schema.DateTimeUtc })

/** The database's now. Each is later than the one before, by a millisecond at least. */
export const databaseNow = Effect.gen(function* () {
  const sql = yield* SqlClient
  const row = yield* decodedFirst(NowRow)(sql`
    WITH RECURSIVE passing AS (
      SELECT clock_timestamp() AS now, 0 AS looks
      UNION ALL
      SELECT clock_timestamp(), looks + 1
      FROM passing
      WHERE looks < 1000000 AND clock_timestamp() < statement_timestamp() + interval '2 milliseconds'
    )
    SELECT max(now)::timestamptz(3) AS now FROM passing`)
  return row === undefined
    ? yield* Effect.die(new Error("The database does not say what time it is"))
    : row.now
})

/**
 * Has time go by for whatever is stored of executions: everything in it becomes older. Not by the time zone of the
 * session, which the nodes of a distributed database do not share.
 */
export const passes = Effect.fnUntraced(function* (time: Duration.Input) {
  const sql = yield* SqlClient
  const millis = Duration.toMillis(time)
  const older = (...columns: ReadonlyArray<string>) =>
    sql.csv(
      columns.map(
        (column) =>
          sql`${sql(column)} = (${sql(column)} AT TIME ZONE 'UTC' - ${millis}::float8 * interval '1 millisecond') AT TIME ZONE 'UTC'`
      )
    )
  yield* sql`
    UPDATE executions
    SET ${older("lease_expires_at", "deadline_at", "start_by", "input_expires_at", "due_at", "stopped_at")}`
  const asking = yield* sql<{ readonly id: string; readonly bucket: number; readonly inputs: string }>`
    SELECT bucket, id, jsonb_set(inputs, '{-1,expiresAt}', to_jsonb(input_expires_at))::text AS inputs
    FROM executions
    WHERE input_expires_at IS NOT NULL`
  yield* Effect.forEach(
    asking,
    ({ bucket, id, inputs }) =>
      sql`UPDATE executions SET inputs = ${inputs}::jsonb WHERE bucket = ${bucket}::smallint AND id = ${id}::uuid`
  )
  yield* sql`UPDATE execution_requests SET ${older("expires_at", "scheduled_at")}`
  yield* sql`UPDATE delayed_queue SET ${older("due_at")}`
  yield* sql`UPDATE ready_queue SET ${older("due_at")}`
  yield* sql`UPDATE idempotency_keys SET ${older("expires_at")}`
  yield* sql`UPDATE runner_sessions SET ${older("last_seen_at")}`
  yield* sql`UPDATE artifacts SET ${older("awaited_until")}`
})

/** A session that is opened by a process. */
export const openedAt = Effect.fnUntraced(function* (tenant: Tenant, at: DateTime.Utc) {
  const store = yield* RunStore
  const session = yield* newSession(tenant, { createdAt: at, lastSeenAt: at })
  return (yield* store.openSession({ session, presentMax })).session
})

/** What the sweeps of a process make of an execution: null when they leave it alone. */
export const sweptAt = Effect.fnUntraced(function* (at: DateTime.Utc, { id }: Pick<Execution, "id">) {
  const sweeps = yield* SweepStore
  const round = { at, limit: plenty }
  const changes = yield* Effect.forEach(
    [sweeps.expireLeases, sweeps.timeOutRuns, sweeps.expireInputs, sweeps.expireExecutions],
    (sweep) => sweep(round)
  )
  return changes.flat().find(({ run }) => run.execution.id === id)?.run.execution.status ?? null
})

/**
 * Applies missing migrations, in one process at a time, beside others that work. If it is killed, the next one
 * finishes what it began (`docs/adr/0056-migrations-run-beside-a-working-service.md`).
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { migrationPatience, patient } from "../connections/Deadline.ts"
import { checkedSchema, recordTable } from "../database/SchemaVersion.ts"
import { integer, text } from "../sql/Parameters.ts"
import type { Migration } from "./Migrations.ts"

/**
 * How long a statement waits for a lock before it fails, while later statements wait behind it: the second after
 * which PostgreSQL ends an autovacuum that stands in the way, and a little more.
 */
const lockPatience = Duration.millis(1_100)

/**
 * How often a waiting process looks whether the migrating one is done. Waiting in a statement would hold up the
 * building of indexes.
 */
const lookEvery = Duration.millis(100)

/** The key of the advisory lock. */
const lockKey = 5_764_607_523_034_235_000n

/** The index that a statement builds concurrently. If the build is killed, it leaves an invalid index behind. */
const indexOf = (statement: string): string | undefined =>
  /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)/.exec(statement)?.[1]

/** Applies missing migrations, and answers which. Fails on a schema that other migrations made. */
export const migrateTo = Effect.fnUntraced(function* (migrations: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient
  const missing = Effect.map(checkedSchema(migrations), (applied) =>
    migrations.filter(({ id }) => !applied.has(id))
  )
  const record = ({ id, name }: Migration) => sql`
    INSERT INTO ${sql(recordTable)} (migration_id, name) VALUES (${integer(id)}, ${text(name)})`

  /** All or nothing: no program works on a schema that does not exist yet. */
  const create = Effect.fnUntraced(function* (first: Migration) {
    yield* sql`
      CREATE TABLE ${sql(recordTable)} (
        migration_id integer PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        name text NOT NULL
      )`
    for (const statement of first.statements) yield* sql.unsafe(statement)
    yield* record(first)
  }, sql.withTransaction)

  const change = Effect.fnUntraced(function* (later: Migration, connection: Connection) {
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    for (const statement of later.statements) {
      const index = indexOf(statement)
      if (index === undefined) {
        yield* run(`SET lock_timeout = ${Duration.toMillis(lockPatience)}`)
      } else {
        // It waits for others without holding them up, however long.
        yield* run("SET lock_timeout = 0")
        const [broken] = yield* sql`
          SELECT FROM pg_index WHERE indexrelid = to_regclass(${text(index)}) AND NOT indisvalid`
        if (broken !== undefined) yield* run(`DROP INDEX CONCURRENTLY ${index}`)
      }
      yield* run(statement)
    }
    yield* record(later)
  })

  return yield* Effect.gen(function* () {
    if ((yield* missing).length === 0) return []
    const connection = yield* alone
    const applying = yield* missing
    for (const migration of applying) {
      yield* migration.id === 1 ? create(migration) : change(migration, connection)
    }
    return applying.map(({ id, name }) => [id, name] as const)
  }).pipe(Effect.scoped)
}, patient(migrationPatience))

/** A connection that keeps all other migrators out, until it is returned or lost. */
export const alone = Effect.gen(function* () {
  const sql = yield* SqlClient
  const connection = yield* sql.reserve
  const asked = (call: string) =>
    Effect.map(
      connection.executeValuesUnprepared(`SELECT ${call}(${lockKey})`, []),
      ([row]) => row?.[0] === true
    )
  while (!(yield* asked("pg_try_advisory_lock"))) yield* Effect.sleep(lookEvery)
  yield* Effect.addFinalizer(() =>
    connection
      .executeUnprepared("RESET lock_timeout", [], undefined)
      .pipe(Effect.andThen(asked("pg_advisory_unlock")), Effect.ignore)
  )
  return connection
})

import { assert, describe, it } from "@effect/vitest"
import * as BackupSession from "@runhook/store-pg/backup/BackupSession"
import * as Restoring from "@runhook/store-pg/backup/Restoring"
import * as Snapshot from "@runhook/store-pg/backup/Snapshot"
import { migrations } from "@runhook/store-pg/migrations/Migrations"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import { createDatabase } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { load, tables } from "../released/Fixture.ts"

const empty = Effect.acquireRelease(
  Effect.promise(() => createDatabase()),
  (database) => Effect.promise(() => database[Symbol.asyncDispose]())
).pipe(Effect.map(({ url }) => ({ url: Redacted.make(url) })))

/** One with the rows of a release, of every kind. */
const filled = Effect.gen(function* () {
  const options = yield* empty
  yield* PgDatabase.upToDate(options)
  yield* load("0.1.0").pipe(Effect.provide(PgDatabase.layerWithoutMigrations(options), { local: true }))
  return options
})

const later = {
  id: 2,
  name: "later",
  statements: ["ALTER TABLE accounts ADD COLUMN IF NOT EXISTS later text"]
}

/** All that a backup consists of. */
const snapshotOf = Effect.fnUntraced(function* (options: PgDatabase.Options) {
  const session = yield* BackupSession.open(options)
  yield* Snapshot.begin(session)
  const facts = yield* Snapshot.facts(session)
  const found = yield* Snapshot.tables(session)
  const lines = yield* Effect.forEach(found, (table) => Stream.runCollect(Snapshot.linesOf(session, table)))
  return { origin: { ...facts, tables: found, note: "It's restored" }, lines }
}, Effect.scoped)

const fill = Effect.fnUntraced(function* (
  session: BackupSession.BackupSession,
  { lines, origin }: Effect.Success<ReturnType<typeof snapshotOf>>
) {
  yield* Restoring.begin(session, origin)
  yield* Effect.forEach(origin.tables, (table, index) => Restoring.insert(session, table, lines[index] ?? []))
})

const Digest = Schema.Struct({ digest: Schema.NullOr(Schema.String) })

/** What a restore writes itself: the end of what let people in. */
const ends: { readonly [table: string]: string } = {
  console_links: "withdrawn_at",
  console_sessions: "ended_at"
}

/** Of the bytes of all rows but those ends, by table. */
const digests = Effect.fnUntraced(function* (options: PgDatabase.Options) {
  const session = yield* BackupSession.open(options)
  return yield* Effect.forEach(Snapshot.tableNames, (name) =>
    session.rows(
      Digest,
      `SELECT '${name}:' || md5(string_agg(row, '' ORDER BY row)) AS digest
      FROM (SELECT ${name in ends ? `(to_jsonb(t) - '${ends[name]}')` : "t"}::text AS row FROM ${name} t) AS rows`
    )
  )
}, Effect.scoped)

/** Rows that let somebody in. */
const open = Effect.fnUntraced(function* (options: PgDatabase.Options) {
  const session = yield* BackupSession.open(options)
  return [
    yield* session.run("SELECT FROM console_sessions WHERE ended_at IS NULL"),
    yield* session.run("SELECT FROM console_links WHERE used_at IS NULL AND withdrawn_at IS NULL")
  ]
}, Effect.scoped)

describe("a backup of the rows", () => {
  it.live("has every table of the schema, and there is no sequence to set", () =>
    Effect.gen(function* () {
      const options = yield* filled
      const session = yield* BackupSession.open(options)
      const client = PgDatabase.layerWithoutMigrations(options)
      const all = yield* Effect.provide(tables, client, { local: true })
      const sequences = yield* session.run("SELECT FROM pg_sequences")

      const found = yield* Snapshot.tables(session)

      assert.includeMembers(
        found.map(({ name }) => name),
        [...all]
      )
      assert.strictEqual(sequences, 0)
    })
  )

  it.live("is restored to the same bytes in each row, with nobody signed in, then brought up to date", () =>
    Effect.gen(function* () {
      const [old, fresh] = [yield* filled, yield* empty]
      const snapshot = yield* snapshotOf(old)

      yield* Restoring.prepare(fresh, snapshot.origin, [...migrations, later])
      const session = yield* BackupSession.open(fresh)
      yield* fill(session, snapshot)
      yield* Restoring.commit(session, snapshot.origin)

      assert.deepStrictEqual(yield* digests(fresh), yield* digests(old))
      assert.isTrue((yield* open(old)).every((rows) => rows > 0))
      assert.deepStrictEqual(yield* open(fresh), [0, 0])
      assert.deepStrictEqual(yield* Restoring.complete(fresh, [...migrations, later]), [[2, "later"]])
    })
  )

  it.live(
    "leaves a database on which nothing starts until it is restored to the end, which may be tried again",
    () =>
      Effect.gen(function* () {
        const [old, fresh] = [yield* filled, yield* empty]
        const snapshot = yield* snapshotOf(old)
        const start = PgDatabase.upToDate(fresh)
        yield* Restoring.prepare(fresh, snapshot.origin)
        yield* Effect.scoped(Effect.flatMap(BackupSession.open(fresh), (session) => fill(session, snapshot)))

        const refused = yield* Effect.flip(start)
        yield* Restoring.prepare(fresh, snapshot.origin)
        const session = yield* BackupSession.open(fresh)
        yield* fill(session, snapshot)
        yield* Restoring.commit(session, snapshot.origin)

        assert.strictEqual(refused._tag, "RestoreUnfinished")
        assert.deepStrictEqual((yield* start).applied, [])
        assert.strictEqual((yield* Effect.flip(Restoring.prepare(fresh, snapshot.origin)))._tag, "NotEmpty")
      })
  )

  it.live("is refused in a database that an older release has filled, which is left as it is", () =>
    Effect.gen(function* () {
      const [old, other] = [yield* filled, yield* filled]
      const { origin } = yield* snapshotOf(old)
      const before = yield* digests(other)

      const failure = yield* Effect.flip(
        Restoring.prepare(other, { ...origin, schema: later.id }, [...migrations, later])
      )

      assert.strictEqual(failure._tag, "NotEmpty")
      assert.deepStrictEqual(yield* digests(other), before)
    })
  )
})

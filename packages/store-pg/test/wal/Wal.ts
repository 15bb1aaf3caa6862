/** How many bytes a server of our own writes to its log (WAL), and for which tables and indexes. */
import { appendFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Embedded from "@runhook/embedded-postgres/EmbeddedPostgres"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import { decoded } from "@runhook/store-pg/sql/SqlErrors"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { timeout } from "../ProcessLayer.ts"

/** Bytes by the name of a table or an index; `commits` are of no table. */
export type BytesByRelation = { readonly [relation: string]: number }

export class Wal extends Context.Service<
  Wal,
  {
    /** What is written while something is done, by whomever. Pages that are written as a whole count nothing. */
    writtenBy<E, R>(doing: Effect.Effect<unknown, E, R>): Effect.Effect<BytesByRelation, E, R>
  }
>()("@runhook/store-pg/test/wal/Wal") {}

/** May look into the log, which the role of the stores may not. */
const superuser = "postgres"

const asSuperuser = (url: Redacted.Redacted): Redacted.Redacted => {
  const changed = new URL(Redacted.value(url))
  changed.username = superuser
  changed.password = ""
  return Redacted.make(changed.toString())
}

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
)

const startServer = Effect.gen(function* () {
  const directory = join(yield* temporaryFolder, "database")
  yield* Effect.promise(() => copyCluster(directory))
  const { folder, start, url } = yield* Embedded.open({ directory })
  yield* Effect.promise(() => appendFile(join(folder, "pg_hba.conf"), `local all ${superuser} trust\n`))
  yield* start
  return url
}).pipe(Effect.provide(Logger.layer([])))

/**
 * Nothing but the statements of the stores writes: no vacuum, and no checkpoint
 * after the one here, which the server makes every five minutes.
 */
const keepStill = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`CREATE EXTENSION pg_walinspect`
  yield* sql`ALTER SYSTEM SET autovacuum = off`
  yield* sql`SELECT pg_reload_conf()`
  yield* sql`CHECKPOINT`
})

const WrittenRow = Schema.Struct({ relation: Schema.String, bytes: Schema.Int })

const makeWal = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* keepStill
  const position = Effect.flatMap(
    decoded(Schema.Struct({ at: Schema.String }))(sql`SELECT pg_current_wal_insert_lsn()::text AS at`),
    ([row]) => Effect.fromNullishOr(row)
  )

  /** A record that touches several pages counts for the relation of the first. */
  const written = (from: string, to: string) =>
    decoded(WrittenRow)(sql`
      SELECT coalesce(c.relname, 'commits') AS relation, sum(w.record_length - w.fpi_length)::integer AS bytes
      FROM pg_get_wal_records_info(${from}::pg_lsn, ${to}::pg_lsn) w
      LEFT JOIN pg_class c
        ON pg_relation_filenode(c.oid) = (regexp_match(w.block_ref, 'rel [0-9]+/[0-9]+/([0-9]+)'))[1]::oid
      WHERE c.oid IS NOT NULL OR w.resource_manager = 'Transaction'
      GROUP BY 1
      ORDER BY 1`)

  return Wal.of({
    writtenBy: Effect.fnUntraced(function* (doing) {
      const { at: from } = yield* Effect.orDie(position)
      yield* doing
      // The log can be read up to where it was flushed, which every commit does.
      const { at: to } = yield* Effect.orDie(position)
      const rows = yield* Effect.orDie(written(from, to))
      return Object.fromEntries(rows.map(({ bytes, relation }) => [relation, bytes]))
    })
  })
})

/** The log of a server of its own, and a client of its database with the whole schema. */
export const layer = Layer.unwrap(
  Effect.map(startServer, (url) => {
    const inspecting = PgClient.layer({ url: asSuperuser(url), maxConnections: 1 })
    return Layer.effect(Wal, Effect.orDie(makeWal)).pipe(
      Layer.provide(inspecting),
      Layer.provideMerge(PgDatabase.layer({ url, maxConnections: 20, timeout }))
    )
  })
)

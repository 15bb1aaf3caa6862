/** A server of one test that counts its statements, from any client. */
import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import { open } from "@runhook/embedded-postgres/EmbeddedPostgres"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { onDatabase } from "../TestPostgres.ts"

/** May read the counts, which the role of the service may not. */
const superuser = "postgres"

const asSuperuser = (url: string): string => {
  const changed = new URL(url)
  changed.username = superuser
  changed.password = ""
  return changed.href
}

/** How often each statement was sent, by its text; the most frequent first. */
export type Statements = ReadonlyMap<string, number>

export const countedPostgres = Effect.gen(function* () {
  const directory = join(yield* temporaryDirectory, "database")
  yield* Effect.promise(() => copyCluster(directory))
  const { folder, start, url } = yield* open({ directory })
  yield* Effect.promise(async () => {
    await appendFile(
      join(folder, "postgresql.conf"),
      "shared_preload_libraries = 'pg_stat_statements'\ncompute_query_id = on\n"
    )
    await appendFile(join(folder, "pg_hba.conf"), `local all ${superuser} trust\n`)
  })
  yield* start
  const counts = asSuperuser(Redacted.value(url))
  yield* onDatabase(
    counts,
    SqlClient.use((sql) => sql`CREATE EXTENSION pg_stat_statements`)
  )

  /** What is sent while something is done. */
  const sentWhile = <E, R>(doing: Effect.Effect<unknown, E, R>): Effect.Effect<Statements, E, R> =>
    Effect.gen(function* () {
      yield* onDatabase(
        counts,
        SqlClient.use((sql) => sql`SELECT pg_stat_statements_reset()`)
      )
      yield* doing
      const rows = yield* onDatabase(
        counts,
        SqlClient.use(
          (sql) => sql`
            SELECT query, calls::integer AS calls FROM pg_stat_statements
            WHERE toplevel AND userid <> 'postgres'::regrole
            ORDER BY calls DESC`
        )
      )
      return new Map(rows.map(({ calls, query }) => [String(query), Number(calls)]))
    })

  return { url: Redacted.value(url), sentWhile }
}).pipe(Effect.provide(Logger.layer([])))

/** A PostgreSQL that hangs: it takes connections and statements, and answers nothing. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { onDatabase, ownPostgres } from "./TestPostgres.ts"

const Processes = Schema.Array(Schema.Struct({ pid: Schema.Int }))

const processes = SqlClient.use((sql) =>
  Effect.flatMap(
    sql`SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()`,
    Schema.decodeUnknownEffect(Processes)
  )
)

/** Some process may have ended by itself. */
const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone already.
  }
}

/** A server of this test, which is frozen until the scope ends, or until it is thawed. */
export const freezablePostgres = Effect.gen(function* () {
  const { directory, url } = yield* ownPostgres
  const frozen = new Set<number>()
  const thaw = Effect.sync(() => {
    for (const pid of frozen) send(pid, "SIGCONT")
    frozen.clear()
  })
  yield* Effect.addFinalizer(() => thaw)
  const freeze = Effect.gen(function* () {
    const text = yield* Effect.promise(() => readFile(join(directory, "cluster", "postmaster.pid"), "utf8"))
    const found = yield* onDatabase(url, processes)
    for (const pid of [Number.parseInt(text, 10), ...found.map((each) => each.pid)]) {
      frozen.add(pid)
      send(pid, "SIGSTOP")
    }
  })
  return { url, freeze, thaw }
})

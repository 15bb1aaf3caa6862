/** How long work that failed waits before its next attempt, in its task and as it was when it was created. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What was there before was tried again at once, and so is what a process of the version before stores. */
const atOnce = `{"initialSeconds":0,"factor":1,"maxSeconds":0,"jitter":0}`

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const table of ["tasks", "execution_requests"]) {
    yield* sql.unsafe(`ALTER TABLE ${table} ADD COLUMN retry_backoff json NOT NULL DEFAULT '${atOnce}'`)
  }
})

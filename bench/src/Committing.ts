/** Events committed without the service and announced by NOTIFY, like those of another process. */
import { Pool } from "pg"
import { announcer, eventFor, store, type Target } from "./Deliveries.ts"
import type { Side } from "./Lags.ts"
import type { Database } from "./Postgres.ts"

/** Commits at once, so that one that takes long delays no other. */
const connectionsMax = 8

/** Commits one event for each target in turn, in its own transaction; its name is its id. */
export const committing = (
  database: Database,
  targets: ReadonlyArray<Target>,
  resources: AsyncDisposableStack
): Side["cause"] => {
  const pool = new Pool({ connectionString: database.url, max: connectionsMax })
  resources.defer(() => pool.end())
  const run = async (statement: string, values?: ReadonlyArray<unknown>) =>
    (await pool.query(statement, values && [...values])).rows
  const announce = announcer(database)
  return async (number) => {
    const target = targets[number % targets.length]
    if (target === undefined) throw new Error("There is no receiver")
    const event = eventFor(target)
    await store({ run }, [event])
    // The commit is answered without waiting for the notice.
    void announce()
    return event.id
  }
}

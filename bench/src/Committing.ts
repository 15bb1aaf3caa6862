/** Events that are committed past the service, and told by NOTIFY, as those of another process of it are. */
import { Pool } from "pg"
import { announcer, eventFor, store, type Target } from "./Deliveries.ts"
import type { Side } from "./Lags.ts"
import type { Database } from "./Postgres.ts"

/** Commits at once, so that one that takes long delays no other. */
const connectionsMax = 8

/** Commits one for the targets by turns, in a transaction of its own; its name is its id. */
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
    // Nobody waits for the notice to whom the commit is answered.
    void announce()
    return event.id
  }
}

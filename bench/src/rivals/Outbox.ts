/** A table of what is to be sent, and the loop that people write by hand to send it. */
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type * as Postgres from "../Postgres.ts"
import * as Program from "../Program.ts"

const handWritten = fileURLToPath(new URL("./HandWritten.ts", import.meta.url))

/** Makes the table, and starts the loop in a process of its own. */
export const start = async (
  database: Postgres.Database,
  resources: AsyncDisposableStack
): Promise<Program.Program> => {
  await database.run(`
    CREATE TABLE outbox (
      id uuid PRIMARY KEY, url text NOT NULL, body text NOT NULL, state text NOT NULL DEFAULT 'pending',
      status integer, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz
    )`)
  await database.run("CREATE INDEX ON outbox (created_at) WHERE state = 'pending'")
  const environment = { BENCH_DATABASE_URL: database.url }
  return Program.start({ args: [handWritten], environment, ready: /ready: (yes)/ }, resources)
}

/** Looks ten times a second, for five minutes at most, until nothing is left to send. */
export const drained = async ({ run }: Postgres.Database): Promise<void> => {
  for (let looks = 0; looks < 3_000; looks++) {
    const [waiting] = await run("SELECT FROM outbox WHERE state = 'pending' LIMIT 1")
    if (waiting === undefined) return
    await pause(100)
  }
  throw new Error("Rows still wait after five minutes")
}

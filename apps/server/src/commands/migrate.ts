/** `runhook migrate`: brings the schema of a database up to date before the servers that need it start. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { Json } from "../output/Output.ts"

export const migrateCommand = Command.make("migrate", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("../storage/Migrate.ts")),
    ({ migrate }) => migrate
  )
).pipe(
  Command.withDescription(
    "Bring the schema of the database in RUNHOOK_DATABASE_URL up to date. A server that starts does the same; on Citus, this also distributes the tables, which no server does."
  ),
  Command.withGlobalFlags([Json])
)

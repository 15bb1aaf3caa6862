/** `runhook migrate`: brings the schema of a database up to date before the servers that need it start. */
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { awaited } from "../storage/AwaitedDatabase.ts"
import { optionsOf } from "../storage/Database.ts"
import { databaseProblem } from "../storage/DatabaseProblem.ts"

export const migrateCommand = Command.make(
  "migrate",
  {},
  Effect.fnUntraced(function* () {
    const { databaseTimeout, databaseUrl } = yield* given
    if (databaseUrl === undefined) {
      return yield* new CommandFailed({
        reason:
          "RUNHOOK_DATABASE_URL is not set: a database that the service starts itself is brought up to date by each start"
      })
    }
    const { applied, distributed } = yield* PgDatabase.upToDate(optionsOf(databaseUrl, databaseTimeout)).pipe(
      awaited,
      Effect.mapError(
        (error) => new CommandFailed({ reason: databaseProblem("RUNHOOK_DATABASE_URL", error) })
      )
    )
    for (const [id, name] of applied) yield* Console.log(`Applied ${id} ${name}`)
    if (distributed.length > 0)
      yield* Console.log(`Distributed ${distributed.length} tables over the nodes of Citus`)
    if (applied.length + distributed.length === 0)
      yield* Console.log("Nothing to apply: the schema is up to date")
  })
).pipe(
  Command.withDescription(
    "Bring the schema of the database in RUNHOOK_DATABASE_URL up to date. A server that starts does the same; on Citus, this also distributes the tables, which no server does."
  )
)

/** Brings the schema of a database up to date before the servers that need it start. */
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import { given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { awaited } from "./AwaitedDatabase.ts"
import { optionsOf } from "./Database.ts"
import { databaseProblem } from "./DatabaseProblem.ts"
import { print } from "../output/Writer.ts"

export const migrate = Effect.gen(function* () {
  const { databaseTimeout, databaseUrl } = yield* given
  if (databaseUrl === undefined) {
    return yield* new CommandFailed({
      reason:
        "RUNHOOK_DATABASE_URL is not set: a database that the service starts itself is brought up to date by each start"
    })
  }
  const { applied, distributed } = yield* PgDatabase.upToDate(optionsOf(databaseUrl, databaseTimeout)).pipe(
    awaited,
    Effect.mapError((error) => new CommandFailed({ reason: databaseProblem("RUNHOOK_DATABASE_URL", error) }))
  )
  for (const [id, name] of applied) yield* print(`Applied ${id} ${name}`)
  if (distributed.length > 0) yield* print(`Distributed ${distributed.length} tables over the nodes of Citus`)
  if (applied.length + distributed.length === 0) yield* print("Nothing to apply: the schema is up to date")
})

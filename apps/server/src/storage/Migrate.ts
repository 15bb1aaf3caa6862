/** Brings the schema of a database up to date before the servers that need it start. */
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import { given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { awaited } from "./AwaitedDatabase.ts"
import { optionsOf } from "./Database.ts"
import { databaseProblem } from "./DatabaseProblem.ts"
import { report } from "../output/Output.ts"

export const migrate = Effect.gen(function* () {
  const { databaseTimeout, databaseUrl } = yield* given
  if (databaseUrl === undefined) {
    return yield* new CommandFailed({
      reason:
        "RUNHOOK_DATABASE_URL is not set: a database that the service starts itself is brought up to date by each start"
    })
  }
  const { applied, distributed, installed } = yield* PgDatabase.upToDate(
    optionsOf(databaseUrl, databaseTimeout)
  ).pipe(
    awaited,
    Effect.mapError((error) => new CommandFailed({ reason: databaseProblem("RUNHOOK_DATABASE_URL", error) }))
  )
  const lines = applied.map(([id, name]) => `Applied ${id} ${name}`)
  if (distributed.length > 0) lines.push(`Distributed ${distributed.length} tables over the nodes of Citus`)
  if (installed.length > 0) lines.push(`Installed the functions ${installed.join(", ")}`)
  yield* report({
    lines: lines.length === 0 ? ["Nothing to apply: the schema is up to date"] : lines,
    json: { applied: applied.map(([id, name]) => ({ id, name })), distributed, installed }
  })
})

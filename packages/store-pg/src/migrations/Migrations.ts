/**
 * Every migration, by id. Ids only rise: one that is merged below an applied
 * id would be skipped in silence, so a test compares ids with the record.
 * The release before must run on the schema after.
 */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { schema } from "../schema/Schema.ts"

const each = (statements: ReadonlyArray<string>) =>
  SqlClient.use((sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))

export const migrations = {
  "0001_schema": each(schema)
}

/** The table in which a database keeps what was applied to it. */
export const recordTable = "runhook_migrations"

/** Applies what is missing, in one transaction. Of any number of starters at once, one applies and the others wait for it. */
export const migrate = Migrator.make({})({
  loader: Migrator.fromRecord(migrations),
  table: recordTable
})

/** Why a database cannot be used, told so that an operator knows what to mend. Never a password. */
import { describeOutage, isMomentary, outageOf, sqlStateOf } from "@runhook/store-pg/Outages"
import type { SchemaTooNew } from "@runhook/store-pg/SchemaVersion"
import type { ServerTooOld } from "@runhook/store-pg/ServerVersion"
import type { MigrationError } from "effect/sql/Migrator"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

export type DatabaseFailure = MigrationError | SchemaTooNew | ServerTooOld | SqlError

/** One line for what went wrong with the database of that name. */
export const databaseProblem = (name: string, failure: DatabaseFailure): string =>
  `${name}: ${problemOf(failure)}`

const problemOf = (failure: DatabaseFailure): string => {
  switch (failure._tag) {
    case "SqlError":
      return sqlProblem(failure)
    case "MigrationError":
      return migrationProblem(failure)
    case "SchemaTooNew":
    case "ServerTooOld":
      return failure.message
  }
}

const migrationProblem = ({ cause, message }: MigrationError): string =>
  isSqlError(cause) ? sqlProblem(cause) : `its schema cannot be brought up to date: ${message}`

/** SQLSTATE of a database that is not there, on a server that is. */
const unknownDatabase = "3D000"

const sqlProblem = (error: SqlError): string => {
  const outage = outageOf(error)
  if (outage !== undefined && isMomentary(error)) return describeOutage(outage, error)
  const { message, reason } = error
  const code = sqlStateOf(error)
  const said = saidBy(reason.cause) ?? message
  switch (reason._tag) {
    case "AuthenticationError":
      return "the database refuses this user or password: correct them, or let the user in"
    case "AuthorizationError":
      return `this user may not do what the service needs: ${said}`
    case "ConnectionError":
      return `no database answers there${code === undefined ? "" : ` (${code})`}: start it, or correct host and port`
    default:
      return code === unknownDatabase ? `${said}: create it, or correct its name` : said
  }
}

/** The words of PostgreSQL itself. */
const saidBy = (cause: unknown): string | undefined => (cause instanceof Error ? cause.message : undefined)

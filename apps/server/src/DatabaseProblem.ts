/** Why a database cannot be used, told so that an operator knows what to mend. Never a password. */
import * as Predicate from "effect/Predicate"
import type { MigrationError } from "effect/sql/Migrator"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** One line for what went wrong with the database of that name. */
export const databaseProblem = (name: string, error: MigrationError | SqlError): string =>
  `${name}: ${isSqlError(error) ? sqlProblem(error) : migrationProblem(error)}`

const migrationProblem = ({ cause, message }: MigrationError): string =>
  isSqlError(cause) ? sqlProblem(cause) : `its schema cannot be brought up to date: ${message}`

const sqlProblem = ({ message, reason }: SqlError): string => {
  const code = codeOf(reason.cause)
  switch (reason._tag) {
    case "AuthenticationError":
      return "the database refuses this user or password"
    case "AuthorizationError":
      return `this user may not do what the service needs: ${saidBy(reason.cause) ?? message}`
    case "ConnectionError":
      return `no database answers there${code === undefined ? "" : ` (${code})`}`
    default:
      return saidBy(reason.cause) ?? message
  }
}

const codeOf = (cause: unknown): string | undefined =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined

/** The words of PostgreSQL itself. */
const saidBy = (cause: unknown): string | undefined => (cause instanceof Error ? cause.message : undefined)

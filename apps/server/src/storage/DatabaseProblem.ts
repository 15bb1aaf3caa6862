/** Why a database cannot be used, worded so that an operator knows what to repair. Never a password. */
import { hasPassed } from "@runhook/store-pg/connections/Deadline"
import type { SessionsShared } from "@runhook/store-pg/connections/SharedSessions"
import {
  describeOutage,
  isMomentary,
  isProtocolViolation,
  outageOf,
  sqlStateOf
} from "@runhook/store-pg/database/Outages"
import type { DistributedOtherwise, NotDistributed } from "@runhook/store-pg/database/Distribution"
import type {
  RestoreUnfinished,
  SchemaTooNew,
  SchemaUnreleased
} from "@runhook/store-pg/database/SchemaVersion"
import type { ServerTooOld } from "@runhook/store-pg/database/ServerVersion"
import type { SqlError } from "effect/sql/SqlError"
import { escaping } from "../settings/SettingText.ts"

export type DatabaseFailure =
  | DistributedOtherwise
  | NotDistributed
  | RestoreUnfinished
  | SchemaTooNew
  | SchemaUnreleased
  | ServerTooOld
  | SessionsShared
  | SqlError

/** One line for what went wrong with the database of that name. */
export const databaseProblem = (name: string, failure: DatabaseFailure): string =>
  `${name}: ${problemOf(failure)}`

const problemOf = (failure: DatabaseFailure): string => {
  switch (failure._tag) {
    case "SqlError":
      return sqlProblem(failure)
    case "DistributedOtherwise":
    case "NotDistributed":
    case "RestoreUnfinished":
    case "SchemaTooNew":
    case "SchemaUnreleased":
    case "ServerTooOld":
    case "SessionsShared":
      return failure.message
  }
}

/** SQLSTATE of a database that does not exist, on a server that does. */
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
      return `this user may not do what the service needs: ${said}: let it, or make it the owner of the database`
    case "ConnectionError":
      if (isProtocolViolation(error)) return poolerProblem(said)
      if (hasPassed(error)) return notInTime
      return (
        unreadable(message) ??
        strangerProblems[message] ??
        `no database answers there${code === undefined ? "" : ` (${code})`}: start it, or correct host and port`
      )
    default:
      return code === unknownDatabase ? `${said}: create it, or correct its name` : said
  }
}

/** What the driver says of a URL that it cannot read; it quotes no user and no password. */
const unreadable = (message: string): string | undefined => {
  const [, words] = /^PgConnection: (.* in URL\b.*)$/.exec(message) ?? []
  return words && `${words}: ${words.includes("encoding") ? escaping : "correct it"}`
}

/** PostgreSQL itself has no reason to object to how we speak to it, so something in front of it does. */
const poolerProblem = (said: string): string => {
  const problem = `a pooler answers there, and says: ${said}`
  return said.startsWith("unsupported startup parameter")
    ? `${problem}: have it ignore that (PgBouncer's ignore_startup_parameters), or name the database itself`
    : `${problem}: see its log, or name the database itself`
}

const notPostgres =
  "what answers there does not speak PostgreSQL's protocol: correct host and port, or what listens there"

const notInTime =
  "what listens there does not answer in time: see whether the database runs and has a connection to spare, or correct host and port"

/** What is wrong with a peer that answers and is not a database, by the driver's message. */
const strangerProblems: { readonly [message: string]: string } = {
  "PgConnection: Failed to parse server response": notPostgres,
  "PgConnection: Invalid SSLRequest response": notPostgres,
  "PgConnection: Protocol desync": notPostgres,
  "PgConnection: Connection closed during startup":
    "what listens there hangs up without a word: correct host and port, or see the log of what listens there",
  "PgConnection: Connection timed out": notInTime,
  "PgConnection: Server refused TLS":
    "it does not offer TLS, which the URL asks for: turn it on, or correct sslmode"
}

/** PostgreSQL's own message. */
const saidBy = (cause: unknown): string | undefined => (cause instanceof Error ? cause.message : undefined)

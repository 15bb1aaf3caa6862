/** Why a database cannot be used, worded so that an operator knows what to repair. Never a password. */
import { hasPassed } from "@runhook/store-pg/connections/Deadline"
import type { SessionUnfit } from "@runhook/store-pg/connections/SessionSettings"
import type { SessionsShared } from "@runhook/store-pg/connections/SharedSessions"
import type { UrlRefused } from "@runhook/store-pg/connections/Tls"
import {
  describeOutage,
  isMomentary,
  isProtocolViolation,
  outageOf,
  sqlStateOf
} from "@runhook/store-pg/database/Outages"
import type { NotCoordinator } from "@runhook/store-pg/database/Coordinator"
import type { DistributedOtherwise, NotDistributed } from "@runhook/store-pg/database/Distribution"
import type {
  RestoreUnfinished,
  SchemaTooNew,
  SchemaUnreleased
} from "@runhook/store-pg/database/SchemaVersion"
import type { ServerTooOld } from "@runhook/store-pg/database/ServerVersion"
import type { FunctionsMissing } from "@runhook/store-pg/functions/Installation"
import type { SqlError } from "effect/sql/SqlError"
import { escaping } from "../settings/SettingText.ts"

export type DatabaseFailure =
  | DistributedOtherwise
  | FunctionsMissing
  | NotCoordinator
  | NotDistributed
  | RestoreUnfinished
  | SchemaTooNew
  | SchemaUnreleased
  | ServerTooOld
  | SessionUnfit
  | SessionsShared
  | SqlError
  | UrlRefused

/** One line for what went wrong with the database of that name. */
export const databaseProblem = (name: string, failure: DatabaseFailure): string =>
  `${name}: ${problemOf(failure)}`

const problemOf = (failure: DatabaseFailure): string => {
  switch (failure._tag) {
    case "SqlError":
      return sqlProblem(failure)
    case "DistributedOtherwise":
    case "FunctionsMissing":
    case "NotCoordinator":
    case "NotDistributed":
    case "RestoreUnfinished":
    case "SchemaTooNew":
    case "SchemaUnreleased":
    case "ServerTooOld":
    case "SessionUnfit":
    case "SessionsShared":
    case "UrlRefused":
      return failure.message
  }
}

/** SQLSTATE of a database that does not exist, on a server that does. */
const unknownDatabase = "3D000"

/** SQLSTATE of a connection that no line of `pg_hba.conf` lets in, such as one without TLS. */
const unlisted = "28000"

const sqlProblem = (error: SqlError): string => {
  const outage = outageOf(error)
  if (outage !== undefined && isMomentary(error)) return describeOutage(outage, error)
  const { message, reason } = error
  const code = sqlStateOf(error)
  const said = saidBy(reason.cause) ?? message
  switch (reason._tag) {
    case "AuthenticationError":
      if (code === unlisted)
        return `the database refuses this connection: ${said}: correct the URL, or its pg_hba.conf`
      return "the database refuses this user or password: correct them, or let the user in"
    case "AuthorizationError":
      return `this user may not do what the service needs: ${said}: let it, or make it the owner of the database`
    case "ConnectionError":
      if (isProtocolViolation(error)) return poolerProblem(said)
      if (hasPassed(error)) return notInTime
      return (
        unreadable(message) ??
        strangerProblems[message] ??
        certificateProblem(code, said) ??
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

const isUnknown = [
  "is of an authority that is not trusted here",
  "name that authority by sslrootcert"
] as const

/** What is wrong with a certificate, and what to do, by the codes of OpenSSL and Node. */
const certificateProblems: { readonly [code: string]: readonly [problem: string, remedy: string] } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ["is self-signed", "name it by sslrootcert, so that it is trusted"],
  SELF_SIGNED_CERT_IN_CHAIN: isUnknown,
  UNABLE_TO_GET_ISSUER_CERT: isUnknown,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: isUnknown,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: isUnknown,
  CERT_HAS_EXPIRED: ["has expired", "renew it, or set the clock of this machine right"],
  CERT_NOT_YET_VALID: ["is not valid yet", "set the clock of this machine right, or wait"],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "is for another name than the host of the URL",
    "correct the host, or use sslmode=verify-ca, which takes any name"
  ]
}

const certificateProblem = (code: string | undefined, said: string): string | undefined => {
  const [problem, remedy] = certificateProblems[code ?? ""] ?? []
  if (problem !== undefined)
    return `a database answers there, but its certificate ${problem} (${code}): ${remedy}`
  return code?.startsWith("ERR_SSL_") || code?.startsWith("ERR_OSSL_")
    ? `TLS with what answers there does not come about (${code}: ${said}): correct sslmode and the certificates`
    : undefined
}

/** PostgreSQL's own message. */
const saidBy = (cause: unknown): string | undefined => (cause instanceof Error ? cause.message : undefined)

/**
 * Limits that PostgreSQL itself enforces. Time limits back up the deadlines of this process, in case it is killed or
 * its machine is gone: otherwise an abandoned statement would keep its locks. Limits of plans keep statements to
 * indexes.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { isProtocolViolation } from "../database/Outages.ts"
import { upkeepPatience } from "./Deadline.ts"

/** Session parameters, by their names in PostgreSQL. */
export type ServerLimits = { readonly [name: string]: string }

/** After this much silence, the server checks whether the client's machine is still there. */
export const keepAlive = Duration.seconds(30)

/** The limits of a session whose statements are given up after this time. */
export const limitsOf = (timeout: Duration.Duration): ServerLimits => {
  const longest = String(Duration.toMillis(Duration.max(timeout, upkeepPatience)))
  return {
    statement_timeout: longest,
    idle_in_transaction_session_timeout: longest,
    tcp_keepalives_idle: String(Duration.toSeconds(keepAlive)),
    tcp_user_timeout: longest,
    // A plan made while a queue was empty would keep reading all of it. Every query has an index; and without `jit`,
    // PostgreSQL does not compile plans that it takes for expensive.
    enable_seqscan: "off",
    jit: "off"
  }
}

/**
 * The limits, without those that the server or pooler refuses: poolers know few parameters, and PgBouncer must be
 * told which others to ignore.
 */
export const accepted = (
  options: PgConnection.Config,
  limits: ServerLimits
): Effect.Effect<ServerLimits, SqlError> =>
  PgConnection.make({ ...options, startupParameters: { ...options.startupParameters, ...limits } }).pipe(
    Effect.scoped,
    Effect.as(limits),
    Effect.catchIf(isProtocolViolation, () => Effect.as(Effect.logWarning(withoutLimits(limits)), {}))
  )

const withoutLimits = (limits: ServerLimits): string =>
  `A pooler in front of the database refuses the limits of a session (${Object.keys(limits).join(", ")}): deadlines hold all the same, but if this process is killed, PostgreSQL may go on with what it was at. Give them to the role by ALTER ROLE`

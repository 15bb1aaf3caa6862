/**
 * Limits that PostgreSQL enforces by itself. Those of time are for when this
 * process is killed or its machine is gone: they back up the deadlines of the
 * process, otherwise an abandoned statement would keep its locks. Those of plans
 * keep statements to indexes.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { isProtocolViolation } from "../database/Outages.ts"
import { upkeepPatience } from "./Deadline.ts"

/** As parameters of a session, by their names in PostgreSQL. */
export type ServerLimits = { readonly [name: string]: string }

/** After that long without a word the machine at the other end is asked whether it is still there. */
export const keepAlive = Duration.seconds(30)

/** The limits of a session whose statements are given up by then. */
export const limitsOf = (timeout: Duration.Duration): ServerLimits => {
  const longest = String(Duration.toMillis(Duration.max(timeout, upkeepPatience)))
  return {
    statement_timeout: longest,
    idle_in_transaction_session_timeout: longest,
    tcp_keepalives_idle: String(Duration.toSeconds(keepAlive)),
    tcp_user_timeout: longest,
    // A plan that was made while a queue was empty reads all of it for as long as it is kept. There is an index for all
    // that is asked; and without `jit`, a plan that has none is not taken for one that is worth compiling.
    enable_seqscan: "off",
    jit: "off"
  }
}

/**
 * The limits, unless what answers there refuses them, which sessions may begin
 * there otherwise: poolers know few parameters, and PgBouncer wants to be told
 * which of the others it shall ignore.
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

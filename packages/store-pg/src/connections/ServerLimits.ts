/**
 * Limits that PostgreSQL itself enforces. Time limits back up the deadlines of this process, in case it is killed or
 * its machine is gone: otherwise an abandoned statement would keep its locks. Limits of plans keep statements to
 * indexes.
 */
import * as Duration from "effect/Duration"
import { upkeepPatience } from "./Deadline.ts"
import { needs, type SessionParameters } from "./SessionSettings.ts"

/** After this much silence, the server checks whether the client's machine is still there. */
export const keepAlive = Duration.seconds(30)

/** What a session needs, and the limits of one whose statements are given up after this time. */
export const limitsOf = (timeout: Duration.Duration): SessionParameters => {
  const longest = String(Duration.toMillis(Duration.max(timeout, upkeepPatience)))
  return {
    ...needs,
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

/** The longest that Citus waits for a connection to one of its nodes, which may not even refuse. */
const nodeAnswersWithin = Duration.seconds(2)

/** What a session needs besides on Citus: it learns that a node is away before its statement is given up. */
export const citusLimitsOf = (timeout: Duration.Duration): SessionParameters => ({
  "citus.node_connection_timeout": String(
    Math.floor(Math.min(Duration.toMillis(nodeAnswersWithin), Duration.toMillis(timeout) * 0.4))
  )
})

/** Says what is missing where a pooler refuses the parameters: poolers know few, and must be told which to ignore. */
export const withoutLimits = (limits: SessionParameters): string =>
  `A pooler in front of the database refuses the limits of a session (${Object.keys(limits).join(", ")}): deadlines hold all the same, but if this process is killed, PostgreSQL may go on with what it was at. Give them to the role by ALTER ROLE`

/**
 * Which SQL errors mean that the database is away or refuses for now, and what
 * each means to an operator. All others are our own bugs.
 */
import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"
import { hasPassed } from "../connections/Deadline.ts"

interface Outage {
  /** Completes "the database …"; names what an operator would look for. */
  readonly meaning: string
  /** What ends it. */
  readonly remedy: string
  /** What to ask again at once: another connection, the other nodes, or nothing. */
  readonly lies: "with connection" | "with node" | "with server"
}

const lost: Outage = {
  meaning: "cannot be reached, or its connection was lost",
  remedy: "start it, or mend the way to it",
  lies: "with connection"
}

/** What Citus says of a node that is away before it has asked it anything. */
const nodeAway: Outage = {
  meaning: "cannot reach one of its nodes",
  remedy: "start that node, or mend the way to it; accounts on the others are served",
  lies: "with node"
}

/** Citus has lost it in the middle of a statement, and may reach it at the next. */
const nodeLost: Outage = { ...nodeAway, lies: "with connection" }

/** What Citus says, without a SQLSTATE of its own, of a node that it loses in the middle of a statement. */
const losesNode =
  /^(failure on connection marked as essential|server closed the connection|connection not open|no connection to the server|could not (send|receive) data|could not commit transaction for shard)/

/** The shard is moving; the next try finds it in its new place. */
const moving: Outage = {
  meaning: "moves a shard to another of its nodes",
  remedy: "wait until that is done",
  lies: "with node"
}

/** What Citus says when a shard has moved, or was split, during a statement. */
const movedAway =
  /^(Query could not find the intermediate result file|shard for the given value does not exist|could not find valid entry for shard)/

export const hasMovedAway = (error: SqlError): boolean => movedAway.test(said(error))

/** The name or the password is refused. A start with them fails at once. */
const locked: Outage = {
  meaning: "refuses to let this service in",
  remedy: "let its user in again, or start the service with the right RUNHOOK_DATABASE_URL",
  lies: "with server"
}

const silent: Outage = {
  meaning: "does not answer",
  remedy:
    "find what it waits for, such as a lock or its disk, or whether its machine is there; RUNHOOK_DATABASE_TIMEOUT lets it take longer",
  lies: "with server"
}

/** By SQLSTATE. Class 08, a lost connection, is one too, and so is any refusal of a new connection. */
export const outagesByState: { readonly [sqlState: string]: Outage } = {
  "25006": {
    meaning: "is read-only, as a standby or by default_transaction_read_only",
    remedy: "let the address lead to the primary, or make this one writable",
    lies: "with connection"
  },
  "25P03": {
    meaning: "ended a connection by idle_in_transaction_session_timeout",
    remedy: "raise it for this user",
    lies: "with connection"
  },
  "25P04": {
    meaning: "cut off a transaction by transaction_timeout",
    remedy: "raise it for this user, or find what is so slow",
    lies: "with server"
  },
  "53000": {
    meaning: "is short of resources",
    remedy: "look into its log for what it is short of",
    lies: "with server"
  },
  "53100": {
    meaning: "has a full disk",
    remedy: "free space on it, or make it larger",
    lies: "with server"
  },
  "53200": {
    meaning: "is out of memory",
    remedy: "give it more, or raise what its message names, such as max_locks_per_transaction",
    lies: "with server"
  },
  "53300": {
    meaning: "has no connection left for this user",
    remedy: "raise max_connections or the limit of the role or database, or end what holds connections",
    lies: "with connection"
  },
  "53400": {
    meaning: "has reached a limit of its settings",
    remedy: "raise the setting that its message names",
    lies: "with server"
  },
  "55P03": {
    meaning: "did not give a lock within lock_timeout",
    remedy: "end the transaction that holds it, or raise lock_timeout for this user",
    lies: "with server"
  },
  "57014": {
    meaning: "cut off a statement, by statement_timeout or because somebody cancelled it",
    remedy: "find what is so slow, or raise statement_timeout for this user",
    lies: "with server"
  },
  "57P01": {
    meaning: "ended the connection, as it does when it shuts down",
    remedy: "start it again",
    lies: "with connection"
  },
  "57P02": {
    meaning: "ended all connections, since one of its processes crashed",
    remedy: "look into its log",
    lies: "with connection"
  },
  "57P03": {
    meaning: "takes no connections now, as it starts, recovers or shuts down",
    remedy: "wait until its log says that it is ready to accept connections",
    lies: "with connection"
  },
  "57P04": { meaning: "was dropped", remedy: "restore it", lies: "with connection" },
  "57P05": {
    meaning: "ended an idle connection by idle_session_timeout",
    remedy: "raise it for this user",
    lies: "with connection"
  },
  "58030": {
    meaning: "cannot read or write its disk",
    remedy: "look into its log, and at the disk",
    lies: "with server"
  }
}

/** The SQLSTATE of a refused statement, if the server gave one. */
export const sqlStateOf = ({ reason: { cause } }: SqlError): string | undefined =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined

/** Whether a pooler does not support what it is asked for, SQLSTATE 08P01: trying again is useless. */
export const isProtocolViolation = (error: SqlError): boolean => sqlStateOf(error) === "08P01"

/** Whether the session is read-only: that of a standby, or of a former primary. */
export const isReadOnly = (error: SqlError): boolean => sqlStateOf(error) === "25006"

const said = (error: SqlError): string =>
  error.reason.cause instanceof Error ? error.reason.cause.message : error.message

/** The node that Citus was asking, which its message may not name. */
const nodeOf = ({ reason: { cause } }: SqlError): string =>
  Predicate.hasProperty(cause, "where") && typeof cause.where === "string"
    ? (/while executing command on (\S+)/.exec(cause.where)?.[1] ?? "")
    : ""

/** What the fault says about the database as a whole; undefined when it says nothing. */
export const outageOf = (error: SqlError): Outage | undefined => {
  const state = sqlStateOf(error) ?? ""
  const known = outagesByState[state]
  if (known !== undefined) return known
  if (hasPassed(error)) return silent
  if (state === "08001" || state === "08006") return nodeAway
  if (hasMovedAway(error)) return moving
  if (state === "XX000" && losesNode.test(said(error))) return nodeLost
  if (error.reason._tag === "ConnectionError" || state.startsWith("08")) return lost
  return error.reason.operation === "connect" ? locked : undefined
}

/** Whether the connection failed, so that another one may work. */
export const isConnectionLost = (error: SqlError): boolean => outageOf(error)?.lies === "with connection"

/**
 * Whether the connection itself is of no use any more. A node that its server cannot reach says nothing against it: to
 * begin another for each such refusal would take the connections from those whose nodes are there.
 */
export const isBroken = (error: SqlError): boolean =>
  error.reason._tag === "ConnectionError" && outageOf(error)?.lies !== "with node"

/** Whether the other nodes of the database may answer one by one. */
export const isPartly = (error: SqlError): boolean =>
  isConnectionLost(error) || outageOf(error)?.lies === "with node"

/** The outage for operators: what it is, what the server said, and what ends it. */
export const describeOutage = ({ meaning, remedy }: Outage, error: SqlError): string => {
  const [state, node] = [sqlStateOf(error), nodeOf(error)]
  const by = `${state === undefined ? "" : `${state}: `}${said(error)}${node && `, at ${node}`}`
  return `the database ${meaning} (${by}): ${remedy}`
}

/**
 * Whether the database itself refuses for now, so that a starting process should wait. A database that cannot be
 * found may have another address.
 */
export const isMomentary = (error: SqlError): boolean => {
  const state = sqlStateOf(error) ?? ""
  return state in outagesByState || (/^08\w{3}$/.test(state) && !isProtocolViolation(error))
}

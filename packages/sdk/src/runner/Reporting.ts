/** Problems and log entries for the operator of a runner. */
import type { LogEntry } from "../call/Log.ts"
import type { Logger, LogLevel } from "./Context.ts"

export interface RunnerLogEntry {
  readonly level: LogLevel
  readonly message: string
  readonly execution_id?: string
  /** Slug of the task. */
  readonly task?: string
  /** More details. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/**
 * - `agents_missing`: the service gives this runner none of the work of some agents that it asked for.
 * - `refused`: the service refused this runner, such as after its key was revoked. It has ended.
 * - `service_away`: the service cannot be reached, or something else answers in its place. Told once for each outage.
 * - `held_back`: its key is over a limit of the service, such as that of sessions, so no session opens yet. Told once.
 * - `heartbeats_beside_work`: no thread could be had, so work that blocks the event loop loses its lease.
 * - `attempt_failed`: a handler threw `cause`, other than a `TaskCancelled` or when it was to stop.
 * - `no_handler`: there was work for a task that this runner has no handler for. The attempt failed.
 * - `lease_lost`: work was requeued, ended, or given to another runner.
 * - `upload_failed`, `checkpoint_failed`: a file, or a checkpoint, could not be kept.
 * - `outcome_refused`: the service did not take what the handler returned.
 * - `abort_ignored`: a handler went on after its signal had aborted. Its slot is given to other work.
 */
export type ProblemKind =
  | "agents_missing"
  | "refused"
  | "service_away"
  | "held_back"
  | "heartbeats_beside_work"
  | "attempt_failed"
  | "no_handler"
  | "lease_lost"
  | "upload_failed"
  | "checkpoint_failed"
  | "outcome_refused"
  | "abort_ignored"

export interface RunnerProblem {
  readonly kind: ProblemKind
  readonly message: string
  readonly execution_id?: string
  /** Slug of the task. */
  readonly task?: string
  /** The attempt that failed, from 1. */
  readonly attempt?: number
  /** The error. */
  readonly cause?: unknown
}

export type Log = (entry: RunnerLogEntry) => void

/** A line of JSON on standard output for each entry but the debug ones. */
export const logToOutput: Log = ({ fields, level, ...entry }) => {
  if (level === "debug") return
  const line = { timestamp: new Date().toISOString(), level, ...entry, ...fields }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** A log whose entries name their execution, if they concern one. */
export const loggerOf = (log: Log, about?: Pick<RunnerLogEntry, "execution_id" | "task">): Logger => {
  const write =
    (level: LogLevel): Logger[LogLevel] =>
    (message, fields) =>
      log({ level, message, ...about, ...(fields && { fields }) })
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") }
}

/** Reports an outage once, however many calls meet it, and its end. The same for a session that cannot open yet. */
export const outageWatch = ({
  log,
  problem
}: {
  readonly log: Log
  readonly problem: (problem: RunnerProblem) => void
}) => {
  let isAway = false
  let isHeldBack = false
  return ({ event, path, problem: message = "", status }: LogEntry): void => {
    if (path === "/sessions") {
      const wasHeldBack = isHeldBack
      isHeldBack = event === "retry" && status === 429
      if (isHeldBack && !wasHeldBack) problem({ kind: "held_back", message })
    }
    if (event === "response" && isAway) {
      isAway = false
      log({ level: "info", message: "the service answers again" })
    }
    if (event !== "retry" || isAway || status === 429) return
    isAway = true
    problem({ kind: "service_away", message })
  }
}

/** The lifecycle of an execution, as a table of data. A test compares `docs/lifecycle.md` with it. */
import * as Schema from "effect/Schema"

/**
 * - `pending`: accepted but held, until released.
 * - `queued`: waiting for a runner, also while claimed and not yet started.
 * - `running`: a runner works on it.
 * - `awaiting_input`: the work asked its caller for a value.
 * - `completed`, `error`: how the work itself ended.
 * - `cancelled`: ended by operator, agent or policy.
 * - `aborted`: stopped by an integration caller.
 */
export const ExecutionStatus = Schema.Literals([
  "pending",
  "queued",
  "running",
  "awaiting_input",
  "completed",
  "cancelled",
  "aborted",
  "error"
])
export type ExecutionStatus = typeof ExecutionStatus.Type

const transitions: { readonly [From in ExecutionStatus]: ReadonlyArray<ExecutionStatus> } = {
  pending: ["queued", "aborted", "cancelled"],
  queued: ["running", "aborted", "cancelled"],
  running: ["awaiting_input", "completed", "error", "cancelled", "aborted", "queued"],
  awaiting_input: ["running", "queued", "completed", "error", "cancelled", "aborted"],
  completed: [],
  cancelled: [],
  aborted: [],
  error: []
}

/** Whether an execution may move from one status to the other. */
export const canTransition = (from: ExecutionStatus, to: ExecutionStatus): boolean =>
  transitions[from].includes(to)

/** The statuses that `from` may move to. */
export const targetsOf = (from: ExecutionStatus): ReadonlyArray<ExecutionStatus> => transitions[from]

/** Whether nothing more can happen to an execution. */
export const isTerminal = (status: ExecutionStatus): boolean => transitions[status].length === 0

/** Whether an execution counts against `max_live`: it is not finished. */
export const isLive = (status: ExecutionStatus): boolean => !isTerminal(status)

/**
 * An execution together with what its runner side needs: the lease, the questions,
 * the deadline. The moves in `LeaseMoves`, `EndMoves` and `InputMoves` are pure
 * functions from one `Run` to a `Change`. Every store calls them and stores what
 * they answer, all of it or nothing.
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { eventOnEntering, type ExecutionEventType } from "../deliveries/WebhookEventType.ts"
import { type Execution, executionBytes } from "../executions/Execution.ts"
import { canTransition, ExecutionStatus, isTerminal } from "../executions/ExecutionStatus.ts"
import { type EventId, ExecutionId, type SessionId } from "../shared/Ids.ts"
import { jsonBytes } from "../shared/json/JsonBytes.ts"
import type { InputRequest } from "./InputRequest.ts"
import type { Lease } from "./Lease.ts"

/** How its runner ended an attempt, kept so that an equal repeat gets the same answer. */
export interface Completion {
  readonly epoch: number
  /** SHA-256 of the runner's request. */
  readonly fingerprint: string
  /** The status that the runner got as its answer. */
  readonly status: ExecutionStatus
}

export interface Run {
  readonly execution: Execution
  /** The count of its changes, including its creation. Events and deliveries are ordered by it. */
  readonly revision: number
  /** The right to run it, while a session has it. */
  readonly lease: Lease | null
  /**
   * The epoch of the latest claim while its artifacts may still be written; null once
   * the execution is queued again.
   */
  readonly attemptEpoch: number | null
  /** Not to be claimed before then; also its place among runs of one priority. */
  readonly dueAt: DateTime.Utc
  /** When the current attempt runs out of time; null if it may not. */
  readonly deadlineAt: DateTime.Utc | null
  /** The questions so far, oldest first; only the last can be open. */
  readonly inputs: ReadonlyArray<InputRequest>
  readonly completion: Completion | null
}

/** What a run counts in an answer to its runner. */
export const runBytes = ({ execution, inputs }: Run): number =>
  executionBytes({ ...execution, inputRequest: null }) +
  jsonBytes(inputs.map(({ defaultValue, prompt, schema, value }) => [prompt, schema, defaultValue, value]))

/** A run as its runner hears of it: its state, its holder, and its last question. */
export interface HeldRun extends Pick<Run, "attemptEpoch" | "inputs" | "lease" | "revision"> {
  readonly execution: Pick<Execution, "agentId" | "epoch" | "errorMessage" | "id" | "status" | "statusReason">
  readonly completion: Pick<Completion, "epoch"> | null
}

export const heldRun = ({ attemptEpoch, completion, execution, inputs, lease, revision }: Run): HeldRun => ({
  attemptEpoch,
  lease,
  revision,
  inputs: inputs.slice(-1),
  execution: Struct.pick(execution, ["agentId", "epoch", "errorMessage", "id", "status", "statusReason"]),
  completion: completion && { epoch: completion.epoch }
})

/** What one move did. */
export interface Change {
  readonly run: Run
  /** False when the move found its work already done. */
  readonly changed: boolean
  /** The callback to store with the change; null if none is wanted or due. */
  readonly event: ExecutionEventType | null
  /** What standing endpoints may want to hear of it; null if there is nothing to tell. */
  readonly announced: ExecutionEventType | null
  /** Whether the account has any, so that the change waits to be told to them. */
  readonly hasListeners?: boolean | undefined
  /** The id that the store gave to the event's delivery. */
  readonly deliveryId?: EventId | undefined
  /** Whether the delivery was handed over to a dispatcher of this process, so that no claim needs to look for it. */
  readonly isHandedOver?: boolean | undefined
  /** Whether a poll of this process got the run as it was created, so that it is not in the queue. */
  readonly isTaken?: boolean | undefined
  /** The session that held the lease, if the move took it away. */
  readonly releasedFrom: SessionId | null
}

/** The lifecycle does not allow this move. */
export class IllegalTransition extends Schema.TaggedError<IllegalTransition>()("IllegalTransition", {
  id: ExecutionId,
  from: ExecutionStatus,
  to: ExecutionStatus
}) {
  override get message() {
    return `Execution ${this.id} is ${this.from} and cannot become ${this.to}`
  }
}

/** The move found its work already done. */
export const unchanged = (run: Run): Change => ({
  run,
  changed: false,
  event: null,
  announced: null,
  releasedFrom: null
})

/** The parts of a run that a move may set beside the status. */
export interface Patch {
  readonly execution?: Partial<Execution>
  readonly run?: Partial<Omit<Run, "execution" | "revision">>
}

/** The moment of a move made at `at`: never before the previous move, even if the clock went back. */
export const movedAt = ({ execution }: Run, at: DateTime.Utc): DateTime.Utc =>
  DateTime.max(at, execution.updatedAt)

/** Changes a run without entering a status: no event. */
export const amend = (run: Run, at: DateTime.Utc, patch: Patch): Change => {
  const execution = { ...run.execution, ...patch.execution, updatedAt: movedAt(run, at) }
  const next = { ...run, ...patch.run, execution, revision: run.revision + 1 }
  return { run: next, changed: true, event: null, announced: null, releasedFrom: releasedFrom(run, next) }
}

/** Enters a status, and emits its event if that is wanted and it is entered for the first time. */
export const enter = (run: Run, to: ExecutionStatus, at: DateTime.Utc, patch: Patch): Change => {
  const stopped = isTerminal(to) ? { stoppedAt: movedAt(run, at), inputRequest: null } : {}
  const change = amend(run, at, {
    ...patch,
    execution: { ...patch.execution, ...stopped, status: to }
  })
  if (wasBefore(run.execution, to)) return change
  return { ...change, event: eventOf(run.execution, to), announced: eventOnEntering(to) }
}

/** Whether the run may enter a status from its present one. */
export const mayEnter = (run: Run, to: ExecutionStatus): boolean => canTransition(run.execution.status, to)

/** The first event and the state of a run that was just accepted. */
export const accepted = (execution: Execution): Change => ({
  run: {
    execution,
    revision: 1,
    lease: null,
    attemptEpoch: null,
    dueAt: dueAt(execution, execution.createdAt),
    deadlineAt: null,
    inputs: [],
    completion: null
  },
  changed: true,
  event: eventOf(execution, execution.status),
  announced: eventOnEntering(execution.status),
  releasedFrom: null
})

/** When an execution that is queued at `at` may be claimed. */
export const dueAt = (execution: Execution, at: DateTime.Utc): DateTime.Utc =>
  execution.scheduledAt === null ? at : DateTime.max(at, execution.scheduledAt)

/** Queues a held execution; any other stays as it is. */
export const release = (run: Run, at: DateTime.Utc): Change =>
  run.execution.status === "pending"
    ? enter(run, "queued", at, { run: { dueAt: dueAt(run.execution, at) } })
    : unchanged(run)

/** Whether the work has never been started. */
export const isUnstarted = ({ execution }: Run): boolean =>
  execution.attempt === 0 && (execution.status === "pending" || execution.status === "queued")

/** Whether the execution should have started by now and has not. */
export const isExpired = (run: Run, at: DateTime.Utc): boolean =>
  isUnstarted(run) &&
  run.execution.expiresAt !== null &&
  DateTime.isLessThanOrEqualTo(run.execution.expiresAt, at)

/** Whether it was in the status before: work is queued and starts again, and ends once. */
const wasBefore = ({ attempt, status }: Execution, to: ExecutionStatus): boolean =>
  to === "queued" ? status !== "pending" : to === "running" && attempt > 0

/** The event of a status, if its caller wants it. */
const eventOf = (
  { callbackEvents, callbackUrl }: Execution,
  status: ExecutionStatus
): ExecutionEventType | null => {
  const type = eventOnEntering(status)
  if (callbackUrl === null || type === null) return null
  return callbackEvents === null || callbackEvents.includes(type) ? type : null
}

const releasedFrom = (before: Run, after: Run): SessionId | null =>
  before.lease !== null && after.lease === null ? before.lease.sessionId : null

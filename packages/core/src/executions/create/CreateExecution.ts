/** A caller's request to queue an execution, and the execution made of it. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Task, TaskVersion } from "../../catalog/Task.ts"
import { VersionName, VersionNumber } from "../../catalog/VersionSelector.ts"
import { ExecutionEventType } from "../../deliveries/WebhookEventType.ts"
import { AgentId, type ExecutionId, type ScheduleId, TaskId, TaskVersionId } from "../../shared/Ids.ts"
import { type JsonObject, KnownJsonObject } from "../../shared/json/Json.ts"
import { StoredJson, type StoredObject } from "../../shared/json/StoredJson.ts"
import type { ApiKeyRecord } from "../../keys/ApiKeyRecord.ts"
import { AskedConcurrency, type Concurrency } from "../../runs/seats/Concurrency.ts"
import { type Execution, Priority, TimeoutSeconds } from "../Execution.ts"

/** What a request says that may be made again and again: all but its moments. */
export const RepeatableRequest = Schema.Struct({
  agentId: AgentId,
  /** Either this or `taskVersionId` must be given. */
  taskId: Schema.optional(TaskId),
  taskVersionId: Schema.optional(TaskVersionId),
  version: Schema.optional(VersionName),
  v: Schema.optional(VersionNumber),
  params: KnownJsonObject,
  /** Null: the execution's id. */
  reference: Schema.NullOr(Schema.String),
  metadata: KnownJsonObject,
  callbackUrl: Schema.NullOr(Schema.String),
  callbackEvents: Schema.NullOr(Schema.Array(ExecutionEventType)),
  priority: Priority,
  /** Accepts it as `pending`, to be queued by a release. */
  isHeld: Schema.Boolean,
  /** Null: the task's own. */
  timeoutSeconds: Schema.NullOr(TimeoutSeconds),
  /** The seats that it shares with others; none unless given. */
  concurrency: Schema.NullOr(AskedConcurrency)
})

export type CreateExecution = typeof RepeatableRequest.Type & {
  readonly scheduledAt: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc | null
}

/** The execution that an admitted request makes. A scheduled time in the past means now. */
export const newExecution = (options: {
  readonly id: ExecutionId
  readonly caller: ApiKeyRecord
  readonly request: CreateExecution
  /** The params of the request as they are shown, as text. */
  readonly params: StoredObject
  readonly concurrency: Concurrency | null
  readonly sealedParams: string | null
  readonly task: Task
  readonly version: TaskVersion
  readonly requestId: string
  /** The execution that is run again; null for any other. */
  readonly rerunOf: ExecutionId | null
  /** The schedule that it is made for; null for any other. */
  readonly scheduleId: ScheduleId | null
  readonly traceparent: string | null
  readonly at: DateTime.Utc
}): Execution => {
  const { at, caller, concurrency, id, params, request, requestId, rerunOf } = options
  const { scheduleId, sealedParams, task, traceparent, version } = options
  return {
    id,
    accountId: caller.accountId,
    apiKeyId: caller.id,
    agentId: request.agentId,
    taskId: task.id,
    taskVersionId: version.id,
    status: request.isHeld ? "pending" : "queued",
    statusReason: null,
    reference: request.reference ?? id,
    metadata: StoredJson.of(request.metadata),
    params,
    sealedParams,
    result: null,
    errorMessage: null,
    priority: request.priority,
    scheduledAt: laterThan(request.scheduledAt, at),
    expiresAt: request.expiresAt,
    timeoutSeconds: request.timeoutSeconds ?? task.timeoutSeconds,
    maxAttempts: task.maxAttempts,
    retryBackoff: task.retryBackoff,
    attempt: 0,
    epoch: 0,
    inputRequest: null,
    callbackUrl: request.callbackUrl,
    callbackEvents: request.callbackEvents,
    requestId,
    rerunOf,
    scheduleId,
    concurrency,
    traceparent,
    createdAt: at,
    updatedAt: at,
    startedAt: null,
    stoppedAt: null
  }
}

/** The version with which an execution is run again: its own, or the task's current one. */
export type RerunVersion = "current" | "same"

/**
 * The request that runs an execution again, at once, with the same reference and
 * callbacks, and with the given params.
 */
export const requestToRerun = (
  execution: Execution,
  { params, version }: { readonly version: RerunVersion; readonly params: JsonObject }
): CreateExecution => {
  const { agentId, callbackEvents, callbackUrl, concurrency, id } = execution
  const { metadata, priority, reference, timeoutSeconds } = execution
  return {
    agentId,
    taskId: version === "current" ? execution.taskId : undefined,
    taskVersionId: version === "same" ? execution.taskVersionId : undefined,
    params,
    // An execution without a reference has its own id in its place.
    reference: reference === id ? null : reference,
    metadata: metadata.value,
    callbackUrl,
    callbackEvents,
    scheduledAt: null,
    priority,
    isHeld: false,
    expiresAt: null,
    timeoutSeconds,
    concurrency
  }
}

const laterThan = (instant: DateTime.Utc | null, at: DateTime.Utc): DateTime.Utc | null =>
  instant !== null && DateTime.isGreaterThan(instant, at) ? instant : null

/** The caller's name for one request: repeating the request under it makes no second execution. */
export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7E]{1,255}$/u, { expected: "1 to 255 visible ASCII characters" })
)

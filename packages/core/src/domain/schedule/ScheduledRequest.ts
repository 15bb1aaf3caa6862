/** What a schedule asks for each time: a create, without times of its own. */
import * as Schema from "effect/Schema"
import { VersionName, VersionNumber } from "../catalog/VersionSelector.ts"
import { ExecutionEventType } from "../delivery/WebhookEventType.ts"
import { AskedConcurrency } from "../execution/Concurrency.ts"
import type { CreateExecution } from "../execution/CreateExecution.ts"
import { Priority, TimeoutSeconds } from "../execution/Execution.ts"
import { AgentId, TaskId, TaskVersionId } from "../Ids.ts"
import { KnownJsonObject } from "../json/Json.ts"
import { StoredJson, type StoredObject } from "../json/StoredJson.ts"

/** Largest request of a schedule, as bytes of JSON. */
export const requestBytesMax = 64 * 1024

const ScheduledRequest = Schema.toCodecJson(
  Schema.Struct({
    agentId: AgentId,
    taskId: Schema.optional(TaskId),
    taskVersionId: Schema.optional(TaskVersionId),
    version: Schema.optional(VersionName),
    v: Schema.optional(VersionNumber),
    params: KnownJsonObject,
    reference: Schema.NullOr(Schema.String),
    metadata: KnownJsonObject,
    callbackUrl: Schema.NullOr(Schema.String),
    callbackEvents: Schema.NullOr(Schema.Array(ExecutionEventType)),
    priority: Priority,
    isHeld: Schema.Boolean,
    timeoutSeconds: Schema.NullOr(TimeoutSeconds),
    concurrency: Schema.NullOr(AskedConcurrency)
  })
)

const decode = Schema.decodeUnknownSync(ScheduledRequest)
const encode = Schema.encodeSync(Schema.fromJsonString(ScheduledRequest))

/** The request as a schedule keeps it. */
export const storedRequest = (request: CreateExecution): StoredObject => StoredJson.fromText(encode(request))

/** The request that a schedule keeps. */
export const requestIn = (stored: StoredObject): CreateExecution => {
  const { taskId, taskVersionId, v, version, ...rest } = decode(stored.value)
  return { ...rest, taskId, taskVersionId, v, version, scheduledAt: null, expiresAt: null }
}

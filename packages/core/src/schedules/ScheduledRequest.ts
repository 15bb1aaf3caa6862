/** What a schedule asks for each time: a create, without times of its own. */
import * as Schema from "effect/Schema"
import { type CreateExecution, RepeatableRequest } from "../executions/create/CreateExecution.ts"
import { TaskId } from "../shared/Ids.ts"
import { StoredJson, type StoredObject } from "../shared/json/StoredJson.ts"
import type { ScopedWork } from "../keys/KeyScope.ts"

/** Largest request of a schedule, as bytes of JSON. */
export const requestBytesMax = 64 * 1024

const StoredRequest = Schema.Struct({
  ...RepeatableRequest.fields,
  /** The task of its version, if it names a version alone. */
  taskOfVersion: Schema.optional(TaskId)
})

const AsJson = Schema.toCodecJson(StoredRequest)

const decode = Schema.decodeUnknownSync(AsJson)
const encode = Schema.encodeSync(Schema.fromJsonString(AsJson))

/** The request as a schedule keeps it, and the task that it means. */
export const storedRequest = (request: CreateExecution, taskId: TaskId | undefined): StoredObject =>
  StoredJson.fromText(encode(request.taskId === undefined ? { ...request, taskOfVersion: taskId } : request))

/** A request as it would be kept in place of another of the same task: equal to that one if it asks for the same. */
export const storedAs = (stored: StoredObject, request: CreateExecution): StoredObject =>
  storedRequest(request, workIn(stored).taskId)

/** The request that a schedule keeps. */
export const requestIn = (stored: StoredObject): CreateExecution => {
  const { taskOfVersion: _, ...request } = decode(stored.value)
  return { ...request, scheduledAt: null, expiresAt: null }
}

/** What a schedule's executions do, as scopes see it. */
export const workIn = (stored: StoredObject): ScopedWork => {
  const { agentId, taskId, taskOfVersion } = decode(stored.value)
  return { agentId, taskId: taskId ?? taskOfVersion }
}

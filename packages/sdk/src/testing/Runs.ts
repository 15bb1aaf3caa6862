/** The moves of an execution, and the events that they cause. */
import { isFinished } from "../requests/Finished.ts"
import type {
  ExecutionFields,
  InputRequest,
  Json,
  JsonObject,
  KnownExecutionEventType,
  KnownExecutionStatus
} from "../wire/Integration.ts"
import { noted } from "./Happening.ts"
import { equal } from "./ParamsSchema.ts"
import { notFound, Refused } from "./Refused.ts"
import { type KnownExecution, tell, type World } from "./World.ts"

const eventOf: { readonly [Status in KnownExecutionStatus]: KnownExecutionEventType | null } = {
  pending: null,
  queued: "execution.queued",
  running: "execution.started",
  awaiting_input: null,
  completed: "execution.completed",
  error: "execution.failed",
  cancelled: "execution.aborted",
  aborted: "execution.aborted"
}

/** The execution of this id, or a 404. */
export const find = ({ executions }: World, id: string): KnownExecution => {
  const found = executions.get(id.toLowerCase())
  if (found === undefined) throw notFound()
  return found
}

/** Stores the execution in a status, and sends the event of it unless it was sent before. */
export const enter = (
  world: World,
  execution: KnownExecution,
  to: { readonly status: KnownExecutionStatus } & Partial<ExecutionFields>
): KnownExecution => {
  const at = world.clock.stamp()
  const stopped = isFinished(to) ? { stopped_at: at, input_request: null } : {}
  const fields = { ...execution.fields, ...stopped, ...to, updated_at: at }
  const type = eventOf[to.status]
  const isNew = type !== null && !execution.announced.includes(type)
  const announced = isNew ? [...execution.announced, type] : execution.announced
  const entered = noted(world.executions.get(execution.id), { ...execution, fields, announced })
  world.executions.set(execution.id, entered)
  if (isNew) send(world, entered, type)
  tell(world)
  return entered
}

const send = (world: World, execution: KnownExecution, type: KnownExecutionEventType): void => {
  const { callbackEvents, callbackUrl, fields, id, requestId } = execution
  if (callbackUrl === null || callbackEvents?.includes(type) === false) return
  const { agent_id, created_at, metadata, reference, started_at, status, stopped_at, task_id } = fields
  world.sent.push({
    url: callbackUrl,
    event: {
      event_id: world.clock.newId(),
      type,
      occurred_at: fields.updated_at,
      request_id: requestId,
      reference,
      metadata,
      execution: {
        id,
        account_id: world.accountId,
        agent_id,
        task_id,
        task_version_id: fields.task_version_id,
        status,
        result: type === "execution.completed" ? fields.result : null,
        error_message: type === "execution.failed" ? fields.error_message : null,
        started_at,
        stopped_at,
        created_at,
        updated_at: fields.updated_at
      }
    }
  })
}

/** The execution while its work goes on: started now unless it was before. A test that gets it wrong hears why. */
export const started = (world: World, id: string): KnownExecution => {
  const execution = find(world, id)
  const { attempt, status } = execution.fields
  if (status === "running" || status === "awaiting_input") return execution
  if (status !== "queued") throw new Error(`Execution ${id} cannot run: it is ${status}`)
  return enter(world, execution, {
    status: "running",
    started_at: world.clock.stamp(),
    attempt: attempt + 1
  })
}

/** Stops an execution from outside. A finished one stays as it is. */
export const stop = (
  world: World,
  execution: KnownExecution,
  { reason, status }: { readonly reason: string | null; readonly status: "aborted" | "cancelled" }
): KnownExecution =>
  isFinished(execution.fields) ? execution : enter(world, execution, { status, status_reason: reason })

/** A question of the work. */
export interface Question {
  readonly prompt: string
  /** JSON Schema of the answer; anything unless given. */
  readonly schema?: JsonObject
  /** Names the question within its run; `input` unless given. */
  readonly key?: string
  /** How long the work waits, in seconds; an hour unless given. Then it fails. */
  readonly expiresInSeconds?: number
}

/** Has the work ask, and gives the id of its question. */
export const ask = (
  world: World,
  id: string,
  { expiresInSeconds = 3_600, key = "input", prompt, schema = {} }: Question
): string => {
  const execution = started(world, id)
  if (execution.fields.status !== "running") throw new Error(`Execution ${id} awaits an answer already`)
  const input_id = world.clock.newId()
  const asked = world.clock.now()
  const expires_at = new Date(asked.getTime() + expiresInSeconds * 1_000).toISOString()
  const input: InputRequest = {
    input_id,
    prompt,
    schema,
    expires_at,
    input_key: key,
    mode: "hold",
    on_timeout: "error",
    asked_at: asked.toISOString(),
    answered_at: null,
    value: null
  }
  const inputs = [...execution.inputs, input]
  const input_request = { input_id, prompt, schema, expires_at }
  enter(world, { ...execution, inputs }, { status: "awaiting_input", input_request })
  return input_id
}

/** Gives the work its answer. Answering equally again changes nothing. */
export const answer = (
  world: World,
  execution: KnownExecution,
  { input, value }: { readonly input: InputRequest; readonly value: Json }
): KnownExecution => {
  const { input_id } = input
  if (input.answered_at !== null) {
    if (equal(input.value, value)) return execution
    throw closed("already_answered", `Input ${input_id} was already answered with another value`)
  }
  if (execution.fields.input_request?.input_id !== input_id) {
    throw closed("no_longer_awaited", `Nobody waits for input ${input_id} any more`)
  }
  const answered = { ...input, value, answered_at: world.clock.stamp() }
  const inputs = execution.inputs.map((each) => (each.input_id === input_id ? answered : each))
  return enter(world, { ...execution, inputs }, { status: "running", input_request: null })
}

const closed = (reason: string, message: string) =>
  new Refused({ status: 409, code: "invalid_request", message, details: { reason } })

/** Ends what has run out of time. */
export const endOverdue = (world: World): void => {
  const now = world.clock.now()
  for (const execution of world.executions.values()) {
    const { input_request, started_at, status } = execution.fields
    const { expiresAt, timeoutSeconds } = execution
    const isUnstarted = started_at === null && !isFinished(execution.fields)
    if (isUnstarted && expiresAt !== null && new Date(expiresAt) <= now) {
      stop(world, execution, { status: "cancelled", reason: "not started before expires_at" })
    } else if (input_request !== null && new Date(input_request.expires_at) <= now) {
      const key = execution.inputs.find(({ input_id }) => input_id === input_request.input_id)?.input_key
      enter(world, execution, { status: "error", error_message: `input "${key}" was not answered in time` })
    } else if (status === "running" && started_at !== null && timeoutSeconds !== null) {
      const endsAt = new Date(started_at).getTime() + timeoutSeconds * 1_000
      if (endsAt > now.getTime()) continue
      const error_message = `timed out after ${timeoutSeconds} seconds`
      enter(world, execution, { status: "error", error_message })
    }
  }
}

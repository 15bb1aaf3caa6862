/** How a request to queue an execution is judged, and what comes of it. */
import type { CreateExecution, ExecutionFields } from "../wire/Integration.ts"
import { canonical, checkValue } from "./ParamsSchema.ts"
import { brokenRules, notFound, Refused, unprocessable } from "./Refused.ts"
import { callbackFault, createBody, createQuery } from "./RequestRules.ts"
import { type Answer, type Asked, bodyOf, checkQuery } from "./Route.ts"
import type { JsonLike } from "./Rules.ts"
import { enter, find } from "./Runs.ts"
import type { KnownExecution, KnownTask, World } from "./World.ts"
import { runNow } from "./Working.ts"

export const create = (asked: Asked): Answer => {
  const { query, world } = asked
  const key = idempotencyKeyOf(asked)
  checkQuery(query, createQuery)
  const request = requestOf(bodyOf(asked, createBody, 422))
  if (query.get("validate_only") === "true") {
    admit(world, request)
    return { body: { would_create: true, status: "would_create" } }
  }
  return queueOnce(asked, { key, request, fingerprint: canonical(request), rerunOf: null })
}

/** The key under which a request is made once, or null. */
export const idempotencyKeyOf = ({ headers }: Asked): string | null => {
  const key = headers.get("idempotency-key")
  if (key !== null && !/^[\x21-\x7E]{1,255}$/.test(key)) {
    const message = "Expected 1 to 255 visible ASCII characters"
    throw brokenRules(400, [{ path: ["headers", "idempotency-key"], message }])
  }
  return key
}

export interface Queuing {
  readonly key: string | null
  readonly request: Request
  /** Tells a repeat under the key from another request. */
  readonly fingerprint: string
  /** Whose work is done again. */
  readonly rerunOf: string | null
}

/** Queues what was asked for, or finds what an equal request under the same key has queued. */
export const queueOnce = (
  { requestId, world }: Asked,
  { fingerprint, key, request, rerunOf }: Queuing
): Answer => {
  const earlier = key === null ? undefined : world.repeats.get(key)
  if (earlier !== undefined) return repeated(world, earlier, fingerprint)

  const task = admit(world, request)
  const execution = queue(world, { request, task, requestId, rerunOf })
  if (key !== null) world.repeats.set(key, { fingerprint, id: execution.id })
  const { metadata, priority, reference, scheduled_at, status, task_id, task_version_id } = execution.fields
  runNow(world, { execution, task })
  return {
    status: 201,
    body: {
      execution_id: execution.id,
      status,
      reference,
      metadata,
      task_id,
      task_version_id,
      scheduled_at,
      priority
    }
  }
}

const repeated = (
  world: World,
  earlier: { readonly fingerprint: string; readonly id: string },
  fingerprint: string
): Answer => {
  const { fields, id } = find(world, earlier.id)
  if (earlier.fingerprint !== fingerprint) {
    throw new Refused({
      status: 409,
      code: "idempotency_conflict",
      message: "This Idempotency-Key was used before with a different request body",
      details: { reason: "payload_mismatch", execution_id: id }
    })
  }
  return { body: { execution_id: id, status: fields.status, idempotent_replay: true } }
}

/** A request with everything said that it left open. */
export type Request = ReturnType<typeof requestOf>

/** The body was checked field by field before. */
const requestOf = (body: JsonLike) => {
  const given: Partial<CreateExecution> = body
  return {
    agent_id: lower(given.agent_id) ?? "",
    task_id: lower(given.task_id),
    task_version_id: lower(given.task_version_id),
    version: given.version,
    v: given.v,
    params: given.params ?? {},
    reference: given.reference ?? null,
    metadata: given.metadata ?? {},
    callback_url: given.callback_url ?? null,
    callback_events: given.callback_events ?? null,
    scheduled_at: instant(given.scheduled_at),
    priority: given.priority ?? 0,
    hold: given.hold ?? false,
    expires_at: instant(given.expires_at),
    timeout_seconds: given.timeout_seconds ?? null
  }
}

const lower = (id: string | undefined) => id?.toLowerCase()

/** As the service writes it. */
export const instant = (time: string | null | undefined) =>
  typeof time === "string" ? new Date(time).toISOString() : null

/** The task of a request that is in order. */
const admit = (world: World, request: Request): KnownTask => {
  const { agent_id, callback_url, expires_at, scheduled_at } = request
  const refuseField = (field: string, message: string) =>
    brokenRules(422, [{ path: ["body", field], message }])
  if (expires_at !== null && new Date(expires_at) <= world.clock.now()) {
    throw refuseField("expires_at", "must be in the future")
  }
  if (expires_at !== null && scheduled_at !== null && expires_at <= scheduled_at) {
    throw refuseField("expires_at", "must be later than scheduled_at")
  }
  const fault = callback_url === null ? undefined : callbackFault(callback_url)
  if (fault !== undefined) throw refuseField("callback_url", `The callback URL ${fault}`)
  if (request.task_id === undefined && request.task_version_id === undefined) {
    throw refuseField("task_id", "task_id or task_version_id is required")
  }
  const known = taskOf(world, request)
  if (known.given.enabled === false) throw unprocessable("task_disabled", `Task ${known.task.id} is disabled`)
  if (!world.agents.some(({ id }) => id === agent_id)) {
    throw unprocessable("agent_not_found", `There is no agent ${agent_id}`)
  }
  checkValue(known.given.paramsSchema ?? {}, request.params)
  return known
}

const taskOf = ({ tasks }: World, request: Request): KnownTask => {
  const { task_id, task_version_id } = request
  if (task_id === undefined) {
    const known = tasks.find(({ versionId }) => versionId === task_version_id)
    if (known === undefined) throw noVersion(`version ${task_version_id}`)
    return known
  }
  const known = tasks.find(({ task }) => task.id === task_id)
  if (known === undefined) throw unprocessable("task_not_found", `There is no task ${task_id}`)
  const unknown = unknownVersion(known, request)
  if (unknown !== undefined) throw noVersion(unknown)
  return known
}

const noVersion = (words: string) =>
  unprocessable("version_not_found", `The task has no such version: ${words}`)

/** What the request calls a version that the task does not have. A task has one, its current one, without tags. */
export const unknownVersion = (
  { versionId }: KnownTask,
  {
    task_version_id,
    v,
    version
  }: {
    readonly task_version_id?: string | undefined
    readonly v?: number | undefined
    readonly version?: string | undefined
  }
): string | undefined => {
  if (task_version_id !== undefined)
    return task_version_id === versionId ? undefined : `version ${task_version_id}`
  if (v !== undefined) return v === 1 ? undefined : `version ${v}`
  if (version === undefined || version === "current" || version.toLowerCase() === versionId) return undefined
  return version.startsWith("tag:") ? `tag ${version.slice(4)}` : `version ${version}`
}

const queue = (
  world: World,
  {
    request,
    requestId,
    rerunOf,
    task: { given, task, versionId }
  }: Pick<Queuing, "request" | "rerunOf"> & { readonly requestId: string; readonly task: KnownTask }
): KnownExecution => {
  const id = world.clock.newId()
  const at = world.clock.stamp()
  const status = request.hold ? "pending" : "queued"
  const isLater = request.scheduled_at !== null && request.scheduled_at > at
  const fields: ExecutionFields & { readonly status: typeof status } = {
    status,
    status_reason: null,
    task_id: task.id,
    task_version_id: versionId,
    agent_id: request.agent_id,
    reference: request.reference ?? id,
    metadata: request.metadata,
    params: request.params,
    result: null,
    error_message: null,
    started_at: null,
    stopped_at: null,
    created_at: at,
    updated_at: at,
    scheduled_at: isLater ? request.scheduled_at : null,
    priority: request.priority,
    attempt: 0,
    input_request: null,
    rerun_of: rerunOf
  }
  const execution: KnownExecution = {
    id,
    fields,
    requestId,
    callbackUrl: request.callback_url === null ? null : new URL(request.callback_url).href,
    callbackEvents: request.callback_events,
    announced: [],
    expiresAt: request.expires_at,
    timeoutSeconds: request.timeout_seconds ?? given.timeoutSeconds ?? null,
    inputs: [],
    files: [],
    history: []
  }
  return enter(world, execution, { status })
}

/** The task of this id, or a 404. */
export const findTask = ({ tasks }: World, id: string): KnownTask => {
  const known = tasks.find(({ task }) => task.id === id)
  if (known === undefined) throw notFound()
  return known
}

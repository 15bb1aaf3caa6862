/** Audit events of agents and tasks. */
import type * as DateTime from "effect/DateTime"
import type { Agent } from "../catalog/Agent.ts"
import type { Task, TaskVersion, TaskVersionSummary } from "../catalog/Task.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import type { RunnerSession } from "../runs/sessions/RunnerSession.ts"
import { about, changed, event, textOf } from "./AuditedChange.ts"

export const agentCreated = (agent: Agent) => event(ofAgent(agent), "agent.created", agentState(agent))

export const agentUpdated = (before: Agent, after: Agent) =>
  changed(ofAgent(after), "agent.updated", agentState(before), agentState(after))

export const agentRemoved = (agent: Agent) => event(ofAgent(agent), "agent.removed", null, agentState(agent))

/** Undefined if it was asked before. */
export const runnerDrained = (
  { accountId, drainRequestedAt, id, runnerName }: RunnerSession,
  at: DateTime.Utc
) =>
  drainRequestedAt === null
    ? event(about(accountId, { kind: "runner", id, name: runnerName }), "runner.drained", {
        drain_requested_at: textOf(at)
      })
    : undefined

export const taskCreated = (task: Task) => event(ofTask(task), "task.created", taskState(task))

export const taskUpdated = (before: Task, after: Task) =>
  changed(ofTask(after), "task.updated", taskState(before), taskState(after))

/** Names a version of a task. */
export type NamedVersion = Pick<TaskVersion, "id" | "number">

/** A version with the tags that it was given. */
export type TaggedVersion = NamedVersion & Pick<TaskVersionSummary, "tags">

export const versionPublished = (
  task: Task,
  { isCurrent, tags, ...version }: TaggedVersion & { readonly isCurrent: boolean }
) => event(ofTask(task), "task.version_published", { ...versionState(version), tags, is_current: isCurrent })

/** A name that moved from one version to another. */
export interface Naming {
  readonly before: NamedVersion | null
  readonly after: NamedVersion
}

/** Undefined if it already named this one. */
export const tagMoved = (task: Task, { after, before, name }: Naming & { readonly name: string }) => {
  const stateOf = (version: NamedVersion) => ({ tag: name, ...versionState(version) })
  return before?.id === after.id
    ? undefined
    : event(ofTask(task), "task.tag_moved", stateOf(after), before && stateOf(before))
}

export const tagRemoved = (
  task: Task,
  { before, name }: { readonly before: NamedVersion; readonly name: string }
) => event(ofTask(task), "task.tag_removed", null, { tag: name, ...versionState(before) })

export const currentVersionSet = (task: Task, { after, before }: Naming) =>
  before?.id === after.id
    ? undefined
    : event(ofTask(task), "task.current_version_set", versionState(after), before && versionState(before))

const ofAgent = ({ accountId, id, name }: Agent) => about(accountId, { kind: "agent", id, name })

const ofTask = ({ accountId, id, name }: Task) => about(accountId, { kind: "task", id, name })

const agentState = ({ capacity, description, labels, name, state }: Agent): JsonObject => ({
  name,
  description,
  labels,
  capacity,
  state
})

const taskState = (task: Task): JsonObject => ({
  slug: task.slug,
  name: task.name,
  description: task.description,
  platforms: task.platforms.map(({ handler, name, platformId }) => ({
    platform_id: platformId,
    name,
    handler
  })),
  timeout_seconds: task.timeoutSeconds,
  retry: {
    max_attempts: task.maxAttempts,
    initial_seconds: task.retryBackoff.initialSeconds,
    factor: task.retryBackoff.factor,
    max_seconds: task.retryBackoff.maxSeconds,
    jitter: task.retryBackoff.jitter
  },
  enabled: task.enabled
})

const versionState = ({ id, number }: NamedVersion): JsonObject => ({ version_id: id, number })

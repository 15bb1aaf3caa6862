/** Audit events of agents and tasks. */
import * as DateTime from "effect/DateTime"
import type { Agent } from "../catalog/Agent.ts"
import type { Task, TaskVersion, TaskVersionSummary } from "../catalog/Task.ts"
import type { JsonObject } from "../json/Json.ts"
import type { RunnerSession } from "../run/RunnerSession.ts"
import { differenceOf } from "./AuditedChange.ts"
import type { AuditEvent } from "./AuditEntry.ts"

export const agentCreated = (agent: Agent): AuditEvent => ({
  ...ofAgent(agent),
  action: "agent.created",
  before: null,
  after: agentState(agent)
})

/** Undefined if nothing differs. */
export const agentUpdated = (before: Agent, after: Agent): AuditEvent | undefined => {
  const difference = differenceOf(agentState(before), agentState(after))
  return difference && { ...ofAgent(after), action: "agent.updated", ...difference }
}

export const agentRemoved = (agent: Agent): AuditEvent => ({
  ...ofAgent(agent),
  action: "agent.removed",
  before: agentState(agent),
  after: null
})

/** Undefined if it was asked before. */
export const runnerDrained = (before: RunnerSession, at: DateTime.Utc): AuditEvent | undefined =>
  before.drainRequestedAt === null
    ? {
        accountId: before.accountId,
        subject: { kind: "runner", id: before.id, name: before.runnerName },
        action: "runner.drained",
        before: null,
        after: { drain_requested_at: DateTime.formatIso(at) }
      }
    : undefined

export const taskCreated = (task: Task): AuditEvent => ({
  ...ofTask(task),
  action: "task.created",
  before: null,
  after: taskState(task)
})

/** Undefined if nothing differs. */
export const taskUpdated = (before: Task, after: Task): AuditEvent | undefined => {
  const difference = differenceOf(taskState(before), taskState(after))
  return difference && { ...ofTask(after), action: "task.updated", ...difference }
}

/** Names a version of a task. */
export type NamedVersion = Pick<TaskVersion, "id" | "number">

/** A version with the tags that it was given. */
export type TaggedVersion = NamedVersion & Pick<TaskVersionSummary, "tags">

export const versionPublished = (
  task: Task,
  { isCurrent, tags, ...version }: TaggedVersion & { readonly isCurrent: boolean }
): AuditEvent => ({
  ...ofTask(task),
  action: "task.version_published",
  before: null,
  after: { ...versionState(version), tags, is_current: isCurrent }
})

/** A name that moved from one version to another. */
export interface Naming {
  readonly before: NamedVersion | null
  readonly after: NamedVersion
}

/** Undefined if it already named this one. */
export const tagMoved = (
  task: Task,
  { after, before, name }: Naming & { readonly name: string }
): AuditEvent | undefined =>
  before?.id === after.id
    ? undefined
    : {
        ...ofTask(task),
        action: "task.tag_moved",
        before: before && { tag: name, ...versionState(before) },
        after: { tag: name, ...versionState(after) }
      }

export const tagRemoved = (
  task: Task,
  { before, name }: { readonly before: NamedVersion; readonly name: string }
): AuditEvent => ({
  ...ofTask(task),
  action: "task.tag_removed",
  before: { tag: name, ...versionState(before) },
  after: null
})

export const currentVersionSet = (task: Task, { after, before }: Naming): AuditEvent | undefined =>
  before?.id === after.id
    ? undefined
    : {
        ...ofTask(task),
        action: "task.current_version_set",
        before: before && versionState(before),
        after: versionState(after)
      }

const ofAgent = ({ accountId, id, name }: Agent) => ({
  accountId,
  subject: { kind: "agent", id, name } as const
})

const ofTask = ({ accountId, id, name }: Task) => ({
  accountId,
  subject: { kind: "task", id, name } as const
})

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

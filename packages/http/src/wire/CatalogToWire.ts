/** Tasks, versions and agents, from the domain to the wire. */
import type { AgentItem } from "@runhook/contract/wire/AgentWire"
import { TaskItem, type VersionInfo } from "@runhook/contract/wire/TaskWire"
import { type AgentView, statusOf } from "@runhook/core/domain/catalog/Agent"
import type { TaskVersion, TaskVersionSummary, TaskView } from "@runhook/core/domain/catalog/Task"
import { writerOf } from "../encoding/JsonWriter.ts"

export const versionInfo = (version: TaskVersionSummary): typeof VersionInfo.Type => ({
  id: version.id,
  number: version.number,
  tags: version.tags,
  published_at: version.publishedAt
})

export const versionDetail = ({ currentVersion, tags }: TaskView, version: TaskVersion) => ({
  id: version.id,
  task_id: version.taskId,
  number: version.number,
  tags: tags.filter(({ versionId }) => versionId === version.id).map(({ name }) => name),
  is_current: currentVersion?.id === version.id,
  params_schema: version.paramsSchema,
  result_schema: version.resultSchema,
  published_at: version.publishedAt
})

export const taskItem = ({ currentVersion, latestVersion, tags, task }: TaskView): typeof TaskItem.Type => ({
  id: task.id,
  slug: task.slug,
  name: task.name,
  description: task.description,
  platforms: task.platforms.map(({ handler, name, platformId }) => ({
    platform_id: platformId,
    name,
    handler
  })),
  current_version: currentVersion && versionInfo(currentVersion),
  latest_version: latestVersion && versionInfo(latestVersion),
  tags: Object.fromEntries(tags.map(({ name, versionId }) => [name, versionId])),
  enabled: task.enabled,
  created_at: task.createdAt,
  updated_at: task.updatedAt
})

/** The JSON of an item. */
export const taskText = writerOf(TaskItem)

export const taskDetail = (view: TaskView, baseUrl: string) => ({
  ...taskItem(view),
  params_schema_url: `${baseUrl}/api/v1/integrations/tasks/${view.task.id}/params-schema`,
  result_schema: view.resultSchema,
  timeout_seconds: view.task.timeoutSeconds,
  retry: {
    max_attempts: view.task.maxAttempts,
    initial_seconds: view.task.retryBackoff.initialSeconds,
    factor: view.task.retryBackoff.factor,
    max_seconds: view.task.retryBackoff.maxSeconds,
    jitter: view.task.retryBackoff.jitter
  }
})

export const agentItem = (view: AgentView): typeof AgentItem.Type => ({
  id: view.agent.id,
  name: view.agent.name,
  description: view.agent.description,
  status: statusOf(view),
  labels: view.agent.labels,
  capacity: view.agent.capacity,
  busy: view.busy,
  queued: view.queued,
  runners: view.runners.length,
  last_seen_at: view.lastSeenAt,
  created_at: view.agent.createdAt,
  updated_at: view.agent.updatedAt
})

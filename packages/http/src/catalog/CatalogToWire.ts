/** Tasks, versions and agents, from the domain to the wire. */
import { AgentItem } from "@runhook/contract/catalog/AgentWire"
import { RetryPolicy } from "@runhook/contract/executions/RetryWire"
import {
  Platform as PlatformWire,
  TaskItem,
  VersionDetail,
  VersionInfo
} from "@runhook/contract/catalog/TaskWire"
import { type Agent, type AgentView, statusOf } from "@runhook/core/catalog/Agent"
import type { Platform, Task, TaskVersion, TaskVersionSummary, TaskView } from "@runhook/core/catalog/Task"
import { writerOf } from "../encoding/JsonWriter.ts"
import { showing } from "../shared/Names.ts"

export const versionInfo = showing(VersionInfo)<TaskVersionSummary>({})

export const versionDetail = (view: TaskView, version: TaskVersion) =>
  shownVersion({ ...version, currentVersion: view.currentVersion, tags: view.tags })

const shownVersion = showing(VersionDetail)<TaskVersion & Pick<TaskView, "currentVersion" | "tags">>({
  tags: ({ id, tags }) => tags.filter(({ versionId }) => versionId === id).map(({ name }) => name),
  is_current: ({ currentVersion, id }) => currentVersion?.id === id
})

const platform = showing(PlatformWire)<Platform>({})

export const taskItem = (view: TaskView) => shownTask({ ...view.task, ...view })

const shownTask = showing(TaskItem)<Task & TaskView>({
  platforms: ({ platforms }) => platforms.map(platform),
  current_version: ({ currentVersion }) => currentVersion && versionInfo(currentVersion),
  latest_version: ({ latestVersion }) => latestVersion && versionInfo(latestVersion),
  tags: ({ tags }) => Object.fromEntries(tags.map(({ name, versionId }) => [name, versionId]))
})

/** The JSON of an item. */
export const taskText = writerOf(TaskItem)

const retry = showing(RetryPolicy)<Task["retryBackoff"] & Pick<Task, "maxAttempts">>({})

export const taskDetail = (view: TaskView, baseUrl: string) => ({
  ...taskItem(view),
  params_schema_url: `${baseUrl}/api/v1/integrations/tasks/${view.task.id}/params-schema`,
  result_schema: view.resultSchema,
  timeout_seconds: view.task.timeoutSeconds,
  retry: retry({ ...view.task.retryBackoff, maxAttempts: view.task.maxAttempts })
})

export const agentItem = (view: AgentView) => shownAgent({ ...view.agent, ...view })

const shownAgent = showing(AgentItem)<Agent & AgentView>({
  status: statusOf,
  runners: ({ runners }) => runners.length
})

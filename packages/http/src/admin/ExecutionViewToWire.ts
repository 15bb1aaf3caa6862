/** Executions as operators see them, from the domain to the wire. */
import { ExecutionViewItem } from "@runhook/contract/wire/ExecutionViewWire"
import type {
  ExecutionViewFile,
  ExecutionViewVideo,
  ProgressItem
} from "@runhook/contract/wire/ExecutionViewWire"
import type { Artifact, ArtifactKind } from "@runhook/core/domain/artifact/Artifact"
import type { DeliverySummary } from "@runhook/core/domain/delivery/Delivery"
import type { Progress } from "@runhook/core/domain/run/Progress"
import type { ExecutionView } from "@runhook/core/usecases/History"
import { writerOf } from "../encoding/JsonWriter.ts"
import { executionItem } from "../wire/ExecutionToWire.ts"

export const viewItem = ({
  agentName,
  callbacks,
  execution,
  task,
  versionNumber
}: ExecutionView): typeof ExecutionViewItem.Type => ({
  ...executionItem(execution),
  key_id: execution.apiKeyId,
  callback_url: execution.callbackUrl,
  callback_events: execution.callbackEvents,
  callbacks: callbacks.map(callbackMark),
  agent_name: agentName,
  task_name: task.name,
  task_slug: task.slug,
  task_version_number: versionNumber,
  expires_at: execution.expiresAt,
  timeout_seconds: execution.timeoutSeconds
})

/** The JSON of an item. */
export const viewText = writerOf(ExecutionViewItem)

const callbackMark = ({ attempts, createdAt, id, lastStatus, settledAt, state, type }: DeliverySummary) => ({
  event_id: id,
  type,
  state,
  attempts,
  last_status: lastStatus,
  created_at: createdAt,
  settled_at: settledAt
})

export const progressItem = (progress: Progress | undefined): typeof ProgressItem.Type | null =>
  progress ?? null

const fileItem = (artifact: Artifact, baseUrl: string): typeof ExecutionViewFile.Type => ({
  id: artifact.id,
  file_name: artifact.fileName,
  content_type: artifact.contentType,
  size_bytes: artifact.sizeBytes,
  created_at: artifact.createdAt,
  url: `${baseUrl}/api/v1/admin/accounts/${artifact.accountId}/executions/${artifact.executionId}/files/${artifact.id}`
})

const ofKind = (artifacts: ReadonlyArray<Artifact>, kind: ArtifactKind) =>
  artifacts.filter((artifact) => artifact.kind === kind)

/** The files of an execution by kind, with links of the admin API. */
export const viewFiles = (artifacts: ReadonlyArray<Artifact>, baseUrl: string) => {
  const files = (kind: ArtifactKind) => ofKind(artifacts, kind).map((artifact) => fileItem(artifact, baseUrl))
  return { downloads: files("download"), prints: files("print"), screenshots: files("screenshot") }
}

export const viewVideos = (
  artifacts: ReadonlyArray<Artifact>,
  baseUrl: string
): ReadonlyArray<typeof ExecutionViewVideo.Type> =>
  ofKind(artifacts, "video").map((artifact) => ({
    ...fileItem(artifact, baseUrl),
    platform_id: artifact.platformId,
    handler: artifact.handler,
    started_offset_ms: artifact.startedOffsetMs
  }))

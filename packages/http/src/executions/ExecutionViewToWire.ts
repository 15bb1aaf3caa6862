/** Executions as operators see them, from the domain to the wire. */
import {
  CallbackMark,
  ExecutionViewFile,
  ExecutionViewItem,
  ExecutionViewVideo,
  type ProgressItem
} from "@runhook/contract/executions/ExecutionViewWire"
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import type { DeliverySummary } from "@runhook/core/deliveries/Delivery"
import type { ListedExecution } from "@runhook/core/executions/Execution"
import type { Progress } from "@runhook/core/runs/Progress"
import type { ExecutionView } from "@runhook/core/executions/history/History"
import { writerOf } from "../encoding/JsonWriter.ts"
import { byKind, madeOfExecution } from "./ExecutionToWire.ts"
import { showing } from "../shared/Names.ts"

export const viewItem = (view: ExecutionView) => shownView({ ...view.execution, ...view })

const callbackMark = showing(CallbackMark)<DeliverySummary>({ event_id: ({ id }) => id })

const shownView = showing(ExecutionViewItem)<ListedExecution & ExecutionView>({
  ...madeOfExecution,
  key_id: ({ apiKeyId }) => apiKeyId,
  callbacks: ({ callbacks }) => callbacks.map(callbackMark),
  task_name: ({ task }) => task.name,
  task_slug: ({ task }) => task.slug,
  task_version_number: ({ versionNumber }) => versionNumber
})

/** The JSON of an item. */
export const viewText = writerOf(ExecutionViewItem)

export const progressItem = (progress: Progress | undefined): typeof ProgressItem.Type | null =>
  progress ?? null

const urlOf = ({ accountId, executionId, id }: Artifact) =>
  `/api/v1/admin/accounts/${accountId}/executions/${executionId}/files/${id}`

/** The files of an execution by kind, with links of the admin API. */
export const viewFiles = (artifacts: ReadonlyArray<Artifact>, baseUrl: string) =>
  byKind(
    artifacts,
    showing(ExecutionViewFile)<Artifact>({ url: (artifact) => `${baseUrl}${urlOf(artifact)}` })
  )

export const viewVideos = (artifacts: ReadonlyArray<Artifact>, baseUrl: string) =>
  artifacts
    .filter(({ kind }) => kind === "video")
    .map(showing(ExecutionViewVideo)<Artifact>({ url: (artifact) => `${baseUrl}${urlOf(artifact)}` }))

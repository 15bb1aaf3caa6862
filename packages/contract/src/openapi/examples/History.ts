/** What happened to executions, and executions as operators see them. */
import {
  CreateExecutionAsBody,
  ExecutionViewArtifacts,
  ExecutionViewDetail,
  ExecutionViewItem,
  RerunAsBody
} from "../../wire/ExecutionViewWire.ts"
import { RerunBody } from "../../wire/ExecutionWire.ts"
import {
  ExecutionExplained,
  ExecutionRescheduled,
  HistoryEventList,
  RescheduleBody
} from "../../wire/HistoryWire.ts"
import { exampleOf, pageExample } from "./Example.ts"
import { finished } from "./Executions.ts"
import { callbackUrl, ids, metadata, params, reference, requestId, times } from "./Names.ts"

const named = { execution_id: ids.execution, request_id: requestId }

const callback = {
  event_id: ids.event,
  type: "execution.completed",
  state: "delivered",
  attempts: 1,
  last_status: 200,
  created_at: times.stopped,
  settled_at: times.delivered
} as const

const view = {
  ...finished,
  key_id: ids.apiKey,
  callback_url: callbackUrl,
  callback_events: null,
  callbacks: [callback],
  agent_name: "Portal EU",
  task_name: "Download an invoice",
  task_slug: "invoice-download",
  task_version_number: 2,
  expires_at: null,
  timeout_seconds: 900
} as const

const files = `https://runhook.example.com/api/v1/admin/accounts/${ids.account}/executions/${ids.execution}/files`

const file = {
  id: ids.file,
  file_name: "invoice-2026-0117.pdf",
  content_type: "application/pdf",
  size_bytes: 48213,
  created_at: times.stopped,
  url: `${files}/${ids.file}`
}

const video = {
  ...file,
  id: ids.video,
  file_name: "session.webm",
  content_type: "video/webm",
  url: `${files}/${ids.video}`,
  platform_id: ids.platform,
  handler: "supplier-portal",
  started_offset_ms: 850
}

const captured = { downloads: [file], prints: [], screenshots: [] }

export const historyExamples = [
  exampleOf(HistoryEventList, {
    data: [
      { sequence: 1, type: "created", at: times.queued, status: "queued", attempt: 0, data: null },
      { sequence: 2, type: "claimed", at: times.started, status: "queued", attempt: 0, data: null },
      { sequence: 3, type: "started", at: times.started, status: "running", attempt: 1, data: null }
    ],
    request_id: requestId
  }),
  exampleOf(ExecutionExplained, {
    ...named,
    state: "waiting",
    position: 3,
    blocked_by: [
      { kind: "agent_capacity", id: ids.agent, limit: 4, current: 4 },
      { kind: "queue", id: ids.agent, limit: null, current: 2 }
    ],
    runners_online: 1,
    not_before: null,
    expires_at: null
  }),
  exampleOf(RescheduleBody, { priority: 100, scheduled_at: null }),
  exampleOf(ExecutionRescheduled, {
    ...named,
    status: "queued",
    scheduled_at: null,
    priority: 100,
    expires_at: null
  }),
  exampleOf(RerunBody, { version: "current" }),
  exampleOf(RerunAsBody, { version: "current", key_id: ids.apiKey }),
  exampleOf(CreateExecutionAsBody, {
    key_id: ids.apiKey,
    agent_id: ids.agent,
    task_id: ids.task,
    params,
    reference,
    metadata,
    callback_url: callbackUrl
  }),
  pageExample("AdminExecutionPage", ExecutionViewItem, [{ id: ids.execution, ...view }]),
  exampleOf(ExecutionViewDetail, {
    ...named,
    ...view,
    progress: { percent: 80, message: null, step: "downloading", at: times.answered },
    ...captured
  }),
  exampleOf(ExecutionViewArtifacts, {
    ...named,
    status: "completed",
    started_at: times.started,
    stopped_at: times.stopped,
    videos: [video],
    ...captured
  })
]

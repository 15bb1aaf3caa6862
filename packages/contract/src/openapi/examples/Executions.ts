/** Executions, from the request to the files. */
import { ExecutionArtifacts } from "../../wire/ArtifactWire.ts"
import {
  CancelBody,
  CreateExecutionBody,
  ExecutionCancelled,
  ExecutionCreated,
  ExecutionDetail,
  ExecutionItem,
  ExecutionReleased,
  ExecutionReplayed,
  WouldCreate
} from "../../wire/ExecutionWire.ts"
import { AnswerBody, InputAnswered, InputList } from "../../wire/InputWire.ts"
import { exampleOf, pageExample } from "./Example.ts"
import { callbackUrl, ids, metadata, params, question, reference, requestId, result, times } from "./Names.ts"

const file = {
  id: ids.file,
  file_name: "invoice-2026-0117.pdf",
  content_type: "application/pdf",
  size_bytes: 48213,
  url: `https://runhook.example.com/api/v1/integrations/executions/${ids.execution}/files/${ids.file}`
}

/** An execution that has done its work. */
export const finished = {
  status: "completed",
  status_reason: null,
  task_id: ids.task,
  task_version_id: ids.version,
  agent_id: ids.agent,
  reference,
  metadata,
  params,
  result,
  error_message: null,
  started_at: times.started,
  stopped_at: times.stopped,
  created_at: times.queued,
  updated_at: times.stopped,
  scheduled_at: null,
  priority: 0,
  attempt: 1,
  input_request: null,
  rerun_of: null
} as const

const moved = { execution_id: ids.execution, request_id: requestId }

export const executionExamples = [
  exampleOf(CreateExecutionBody, {
    agent_id: ids.agent,
    task_id: ids.task,
    params,
    reference,
    metadata,
    callback_url: callbackUrl
  }),
  exampleOf(ExecutionCreated, {
    ...moved,
    status: "queued",
    reference,
    metadata,
    task_id: ids.task,
    task_version_id: ids.version,
    scheduled_at: null,
    priority: 0
  }),
  exampleOf(ExecutionReplayed, { ...moved, status: "running", idempotent_replay: true }),
  exampleOf(WouldCreate, { would_create: true, status: "would_create", request_id: requestId }),
  pageExample("ExecutionPage", ExecutionItem, [{ id: ids.execution, ...finished }]),
  exampleOf(ExecutionDetail, { ...moved, ...finished, downloads: [file], prints: [], screenshots: [] }),
  exampleOf(CancelBody, { reason: "The customer withdrew the order" }),
  exampleOf(ExecutionCancelled, { ...moved, status: "aborted" }),
  exampleOf(ExecutionReleased, { ...moved, status: "queued" }),
  exampleOf(ExecutionArtifacts, {
    ...moved,
    status: "completed",
    started_at: times.started,
    stopped_at: times.stopped,
    videos: [
      {
        platform_id: ids.platform,
        handler: "supplier-portal",
        started_offset_ms: 850,
        storage_key: `${ids.account}/${ids.execution}/${ids.video}`,
        signed_url: "https://runhook.example.com/storage?grant=<signature>",
        expires_in_seconds: 300,
        error: null
      }
    ],
    downloads: [file],
    prints: [],
    screenshots: []
  }),
  exampleOf(InputList, {
    data: [
      {
        input_id: ids.input,
        input_key: question.key,
        prompt: question.prompt,
        schema: question.schema,
        mode: "hold",
        on_timeout: "error",
        asked_at: times.asked,
        expires_at: times.tomorrow,
        answered_at: times.answered,
        value: question.answer
      }
    ],
    request_id: requestId
  }),
  exampleOf(AnswerBody, { value: question.answer }),
  exampleOf(InputAnswered, { ...moved, input_id: ids.input, status: "running" })
]

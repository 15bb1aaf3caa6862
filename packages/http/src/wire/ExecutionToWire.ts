/** Executions and what they captured, from the domain to the wire. */
import type { FileArtifact } from "@runhook/contract/wire/ArtifactWire"
import { ExecutionDetail, ExecutionItem } from "@runhook/contract/wire/ExecutionWire"
import type { InputItem } from "@runhook/contract/wire/InputWire"
import type { Artifact, ArtifactKind } from "@runhook/core/domain/artifact/Artifact"
import type { Execution, ListedExecution } from "@runhook/core/domain/execution/Execution"
import { stripReserved } from "@runhook/core/domain/execution/Metadata"
import type { InputRequest } from "@runhook/core/domain/run/InputRequest"
import type { Change } from "@runhook/core/domain/run/Run"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { writerOf } from "../encoding/JsonWriter.ts"

/** Everything of an execution except its id, whose field name differs between lists and details. */
const fieldsOf = (execution: ListedExecution): Omit<typeof ExecutionItem.Type, "id"> => ({
  status: execution.status,
  status_reason: execution.statusReason,
  task_id: execution.taskId,
  task_version_id: execution.taskVersionId,
  agent_id: execution.agentId,
  reference: execution.reference,
  metadata: stripReserved(execution.metadata),
  params: execution.params,
  result: execution.result,
  error_message: execution.errorMessage,
  started_at: execution.startedAt,
  stopped_at: execution.stoppedAt,
  created_at: execution.createdAt,
  updated_at: execution.updatedAt,
  scheduled_at: execution.scheduledAt,
  priority: execution.priority,
  attempt: execution.attempt,
  input_request: execution.inputRequest === null ? null : inputSummaryOf(execution.inputRequest),
  rerun_of: execution.rerunOf
})

export const executionItem = (execution: ListedExecution): typeof ExecutionItem.Type => ({
  id: execution.id,
  ...fieldsOf(execution)
})

/** The JSON of an item. */
export const executionText = writerOf(ExecutionItem)

const inputSummaryOf = (input: InputRequest) => ({
  input_id: input.id,
  prompt: input.prompt,
  schema: input.schema,
  expires_at: input.expiresAt
})

export const inputItem = (input: InputRequest): typeof InputItem.Type => ({
  ...inputSummaryOf(input),
  input_key: input.key,
  mode: input.mode,
  on_timeout: input.onTimeout,
  asked_at: input.askedAt,
  answered_at: input.answeredAt,
  value: input.value
})

/** The files of an execution by kind, with links that its callers open with their key. */
export const filesOf = (artifacts: ReadonlyArray<Artifact>, baseUrl: string) => {
  const files = (kind: ArtifactKind): ReadonlyArray<typeof FileArtifact.Type> =>
    artifacts
      .filter((artifact) => artifact.kind === kind)
      .map((artifact) => ({
        id: artifact.id,
        file_name: artifact.fileName,
        content_type: artifact.contentType,
        size_bytes: artifact.sizeBytes,
        url: `${baseUrl}/api/v1/integrations/executions/${artifact.executionId}/files/${artifact.id}`
      }))
  return { downloads: files("download"), prints: files("print"), screenshots: files("screenshot") }
}

/** An execution with its files. */
export const executionDetail = (options: {
  readonly execution: Execution
  readonly artifacts: ReadonlyArray<Artifact>
  readonly baseUrl: string
}) => ({
  execution_id: options.execution.id,
  ...fieldsOf(options.execution),
  ...filesOf(options.artifacts, options.baseUrl)
})

/** Its JSON without the request id. */
export const detailText = writerOf(Schema.Struct(Struct.omit(ExecutionDetail.fields, ["request_id"])))

/** What a stop answers: a finished execution keeps its status and says so. */
export const executionStopped = ({ changed, run }: Change) => ({
  execution_id: run.execution.id,
  status: run.execution.status,
  ...(changed ? {} : { already_finished: true as const })
})

/** What a create answers. */
export const created = (execution: Execution) => ({
  execution_id: execution.id,
  status: execution.status === "pending" ? ("pending" as const) : ("queued" as const),
  reference: execution.reference,
  metadata: stripReserved(execution.metadata),
  task_id: execution.taskId,
  task_version_id: execution.taskVersionId,
  scheduled_at: execution.scheduledAt,
  priority: execution.priority
})

/** The same, of one that made nothing new. */
export const duplicate = (execution: Execution) => ({
  execution_id: execution.id,
  status: execution.status,
  idempotent_replay: true as const
})

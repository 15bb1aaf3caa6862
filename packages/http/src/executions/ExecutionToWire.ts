/** Executions and what they captured, from the domain to the wire. */
import { FileArtifact } from "@runhook/contract/artifacts/ArtifactWire"
import {
  ExecutionCreated,
  ExecutionDetail,
  ExecutionItem,
  InputRequestSummary
} from "@runhook/contract/executions/ExecutionWire"
import { InputItem } from "@runhook/contract/runs/InputWire"
import type { Artifact, ArtifactKind } from "@runhook/core/artifacts/Artifact"
import type { Execution, ListedExecution } from "@runhook/core/executions/Execution"
import { stripReserved } from "@runhook/core/executions/Metadata"
import type { InputRequest } from "@runhook/core/runs/InputRequest"
import type { Change } from "@runhook/core/runs/Run"
import type { Queued } from "@runhook/core/executions/create/ExecutionCreates"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { writerOf } from "../encoding/JsonWriter.ts"
import { showing } from "../shared/Names.ts"

const inputSummaryOf = showing(InputRequestSummary)<InputRequest>({ input_id: ({ id }) => id })

/** Fields that are not shown as the execution has them. */
export const madeOfExecution = {
  metadata: ({ metadata }: ListedExecution) => stripReserved(metadata),
  concurrency_key: ({ concurrency }: ListedExecution) => concurrency && concurrency.key,
  input_request: ({ inputRequest }: ListedExecution) => inputRequest && inputSummaryOf(inputRequest)
}

export const executionItem = showing(ExecutionItem)<ListedExecution>(madeOfExecution)

/** The JSON of an item. */
export const executionText = writerOf(ExecutionItem)

export const inputItem = showing(InputItem)<InputRequest>({
  input_id: ({ id }) => id,
  input_key: ({ key }) => key
})

const fileOf = (baseUrl: string) =>
  showing(FileArtifact)<Artifact>({
    url: ({ executionId, id }) => `${baseUrl}/api/v1/integrations/executions/${executionId}/files/${id}`
  })

/** The files of an execution by kind, with links that its callers open with their key. */
export const filesOf = (artifacts: ReadonlyArray<Artifact>, baseUrl: string) =>
  byKind(artifacts, fileOf(baseUrl))

/** The files of an execution by kind. */
export const byKind = <File>(artifacts: ReadonlyArray<Artifact>, show: (artifact: Artifact) => File) => {
  const files = (kind: ArtifactKind) => artifacts.filter((artifact) => artifact.kind === kind).map(show)
  return { downloads: files("download"), prints: files("print"), screenshots: files("screenshot") }
}

/** An execution with its files. */
export const executionDetail = (options: {
  readonly execution: Execution
  readonly artifacts: ReadonlyArray<Artifact>
  readonly baseUrl: string
}) => {
  const { id, ...shown } = executionItem(options.execution)
  return { execution_id: id, ...shown, ...filesOf(options.artifacts, options.baseUrl) }
}

/** Its JSON without the request id. */
export const detailText = writerOf(Schema.Struct(Struct.omit(ExecutionDetail.fields, ["request_id"])))

/** The answer to a stop: a finished execution keeps its status and says so. */
export const executionStopped = ({ changed, run }: Change) => ({
  execution_id: run.execution.id,
  status: run.execution.status,
  ...(changed ? {} : { already_finished: true as const })
})

/** What a create answers. */
export const queued = ({ execution, isDuplicate }: Queued) =>
  isDuplicate ? duplicate(execution) : created(execution)

const created = showing(ExecutionCreated)<Execution>({
  execution_id: ({ id }) => id,
  status: ({ status }) => (status === "pending" ? status : "queued"),
  metadata: ({ metadata }) => stripReserved(metadata)
})

/** The same for a create that made nothing new. */
const duplicate = (execution: Execution) => ({
  execution_id: execution.id,
  status: execution.status,
  idempotent_replay: true as const
})

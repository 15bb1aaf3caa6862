/** What evidence says of an execution: the manifest that is signed. */
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import type { Artifact } from "../artifacts/Artifact.ts"
import type { Task, TaskVersion } from "../catalog/Task.ts"
import type { Execution } from "../executions/Execution.ts"
import { ExecutionStatus, isTerminal } from "../executions/ExecutionStatus.ts"
import type { HistoryEvent } from "../executions/history/HistoryEvent.ts"
import { ExecutionId } from "../shared/Ids.ts"
import type { StoredObject } from "../shared/json/StoredJson.ts"

/** Events that a manifest has at most: the newest, whose numbers say how many came before. */
export const manifestEventsMax = 2_000

/** There is no evidence of an execution before its end. */
export class ExecutionNotEnded extends Schema.TaggedError<ExecutionNotEnded>()("ExecutionNotEnded", {
  id: ExecutionId,
  status: ExecutionStatus
}) {
  override get message() {
    return `Execution ${this.id} is ${this.status}: there is evidence of it once it has ended`
  }
}

/** Everything that a manifest is made of. */
export interface Proven {
  readonly execution: Execution
  readonly task: Pick<Task, "slug">
  readonly version: Pick<TaskVersion, "number">
  /** Null once the agent was removed. */
  readonly agentName: string | null
  readonly keyName: string
  readonly events: ReadonlyArray<HistoryEvent>
  /** Those that are ready. */
  readonly artifacts: ReadonlyArray<Artifact>
  /** The base URL of the service. */
  readonly issuer: string
  readonly at: DateTime.Utc
  /** How long after its end files may still come. */
  readonly finalize: Duration.Duration
  /** SHA-256 of a value's canonical JSON. */
  readonly hashOf: (value: StoredObject) => string
}

/**
 * Nothing in it tells when it was made: as long as no file comes and nobody gives a thing another name, it is the same
 * each time. The params are hashed as they are shown, with a word in place of each secret, since the hash of a short
 * secret could be guessed.
 */
export const manifestOf = ({ execution, ...proven }: Proven) => ({
  type: "runhook.execution",
  issuer: proven.issuer,
  account_id: execution.accountId,
  execution_id: execution.id,
  status: execution.status,
  reference: execution.reference,
  requested_by: { key_id: execution.apiKeyId, name: proven.keyName, request_id: execution.requestId },
  rerun_of: execution.rerunOf,
  schedule_id: execution.scheduleId,
  task: {
    id: execution.taskId,
    slug: proven.task.slug,
    version_id: execution.taskVersionId,
    version_number: proven.version.number
  },
  agent: { id: execution.agentId, name: proven.agentName },
  attempts: execution.attempt,
  created_at: DateTime.formatIso(execution.createdAt),
  started_at: execution.startedAt === null ? null : DateTime.formatIso(execution.startedAt),
  finished_at: DateTime.formatIso(endOf(execution)),
  params_sha256: proven.hashOf(execution.params),
  result_sha256: execution.result === null ? null : proven.hashOf(execution.result),
  history: proven.events.map(({ at, attempt, sequence, status, type }) => ({
    sequence,
    type,
    at: DateTime.formatIso(at),
    status,
    attempt
  })),
  files: proven.artifacts.map((artifact) => ({
    id: artifact.id,
    kind: artifact.kind,
    file_name: artifact.fileName,
    content_type: artifact.contentType,
    size_bytes: artifact.sizeBytes,
    sha256: artifact.sha256
  })),
  files_complete: DateTime.isGreaterThan(proven.at, DateTime.addDuration(endOf(execution), proven.finalize))
})

export type Manifest = ReturnType<typeof manifestOf>

const endOf = ({ stoppedAt, updatedAt }: Execution): DateTime.Utc => stoppedAt ?? updatedAt

/** Whether there is evidence of it. */
export const hasEvidence = ({ status }: Execution): boolean => isTerminal(status)

/** An execution: one request to run a task on an agent, from its creation to its end. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { ExecutionEventType } from "../deliveries/WebhookEventType.ts"
import {
  AccountId,
  AgentId,
  ApiKeyId,
  ExecutionId,
  ScheduleId,
  TaskId,
  TaskVersionId
} from "../shared/Ids.ts"
import { jsonBytes, textBytes } from "../shared/json/JsonBytes.ts"
import { isStorableText } from "../shared/json/JsonText.ts"
import { StoredObjectFromText } from "../shared/json/StoredJson.ts"
import { itemBytes } from "../shared/Page.ts"
import { InputRequest } from "../runs/InputRequest.ts"
import { Concurrency } from "../runs/seats/Concurrency.ts"
import { ExecutionStatus } from "./ExecutionStatus.ts"
import { RetryBackoff } from "./RetryBackoff.ts"

export const priorityMin = -1000
export const priorityMax = 1000

/** Queue priority: higher runs first. */
export const Priority = Schema.Int.check(Schema.isBetween({ minimum: priorityMin, maximum: priorityMax }))

/** The longest run that a caller or a task may ask for: 7 days. */
const timeoutSecondsMax = 604_800

export const TimeoutSeconds = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: timeoutSecondsMax }))

export const Execution = Schema.Struct({
  id: ExecutionId,
  accountId: AccountId,
  /** The key that created it; its signing secret signs the callbacks. */
  apiKeyId: ApiKeyId,
  agentId: AgentId,
  taskId: TaskId,
  taskVersionId: TaskVersionId,
  status: ExecutionStatus,
  /** Why it was stopped, in the words of the one who stopped it. */
  statusReason: Schema.NullOr(Schema.String),
  reference: Schema.String,
  /** As stored, with reserved keys; responses and callbacks strip those. */
  metadata: StoredObjectFromText,
  /** As they are shown: with a word in place of each secret. */
  params: StoredObjectFromText,
  /** The secrets among the params, sealed; null if there are none. */
  sealedParams: Schema.NullOr(Schema.String),
  /** What the work produced; null unless completed. */
  result: Schema.NullOr(StoredObjectFromText),
  errorMessage: Schema.NullOr(Schema.String),
  priority: Priority,
  /** Not to be claimed before then; null if not deferred. */
  scheduledAt: Schema.NullOr(Schema.DateTimeUtc),
  /** Cancelled by policy if it has not started by then; null if it may wait for ever. */
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The longest run once started; null if unlimited. */
  timeoutSeconds: Schema.NullOr(TimeoutSeconds),
  /** How often the work may be started, by its task's retry policy; 1 means at most once. */
  maxAttempts: Schema.Int,
  /** How long it waits between attempts. */
  retryBackoff: RetryBackoff,
  /** How often the work has been started; continuing after an answer is no new start. */
  attempt: Schema.Int,
  /** Fencing token: rises on claim, cancel and lease loss. A write under an older epoch changes nothing. */
  epoch: Schema.Int,
  /** The question the work is waiting on; null unless awaiting input. */
  inputRequest: Schema.NullOr(InputRequest),
  callbackUrl: Schema.NullOr(Schema.String),
  /** The wanted event types; null means all. */
  callbackEvents: Schema.NullOr(Schema.Array(ExecutionEventType)),
  /** The request that created it; its callbacks carry the same id. */
  requestId: Schema.String,
  rerunOf: Schema.NullOr(ExecutionId),
  /** The schedule that it was made for. */
  scheduleId: Schema.NullOr(ScheduleId),
  /** The key with which it shares seats; null if it waits for none. */
  concurrency: Schema.NullOr(Concurrency),
  /** Its place in a trace, which its runner and its receivers get; null if it belongs to none. */
  traceparent: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  /** When the runner that has, or last had, the work started it; null while it waits for another attempt. */
  startedAt: Schema.NullOr(Schema.DateTimeUtc),
  stoppedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type Execution = typeof Execution.Type

/** An execution as lists show it: without what only its runner and its callbacks need. */
export const ListedExecution = Schema.Struct(
  Struct.omit(Execution.fields, [
    "sealedParams",
    "maxAttempts",
    "retryBackoff",
    "epoch",
    "requestId",
    "traceparent"
  ])
)
export type ListedExecution = typeof ListedExecution.Type

/** How many bytes an execution counts on a page of a list. */
export const executionBytes = ({ inputRequest, metadata, params, result, sealedParams }: Execution): number =>
  itemBytes +
  metadata.bytes +
  params.bytes +
  (sealedParams?.length ?? 0) +
  (result?.bytes ?? 0) +
  (inputRequest === null ? 0 : jsonBytes(inputRequest.schema) + textBytes(inputRequest.prompt))

/** Longest reference in code points. */
export const referenceLengthMax = 255

export const Reference = Schema.String.check(
  Schema.isBetweenCodePoints(1, referenceLengthMax),
  isStorableText
)

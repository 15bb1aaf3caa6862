/** Runs for the tests of the pure moves. Their first moment is `second(0)`. */
import { queuedExecution } from "@runhook/store-testing/Fixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import type { Execution } from "../../src/executions/Execution.ts"
import {
  AccountId,
  AgentId,
  ApiKeyId,
  ExecutionId,
  InputId,
  SessionId,
  TaskId,
  TaskVersionId
} from "../../src/shared/Ids.ts"
import { StoredJson } from "../../src/shared/json/StoredJson.ts"
import { ask } from "../../src/runs/InputMoves.ts"
import type { InputRequest } from "../../src/runs/InputRequest.ts"
import { claim, start } from "../../src/runs/LeaseMoves.ts"
import { accepted, type Run } from "../../src/runs/Run.ts"

/** The instant that many seconds into a test. */
export const second = (seconds: number): DateTime.Utc =>
  DateTime.makeUnsafe(Date.UTC(2030, 0, 1) + seconds * 1_000)

/** How long leases and start deadlines last. */
export const minute = Duration.minutes(1)

export const sessionId = SessionId.make("01900000-0000-7000-8000-00000000000a")
export const otherSessionId = SessionId.make("01900000-0000-7000-8000-00000000000f")

export const execution = (fields: Partial<Execution> = {}): Execution =>
  queuedExecution({
    id: ExecutionId.make("01900000-0000-7000-8000-000000000001"),
    accountId: AccountId.make("01900000-0000-7000-8000-000000000002"),
    apiKeyId: ApiKeyId.make("01900000-0000-7000-8000-000000000003"),
    agentId: AgentId.make("01900000-0000-7000-8000-000000000004"),
    taskId: TaskId.make("01900000-0000-7000-8000-000000000005"),
    taskVersionId: TaskVersionId.make("01900000-0000-7000-8000-000000000006"),
    reference: "order-7",
    params: StoredJson.of({}),
    callbackUrl: "https://example.com/hook",
    createdAt: second(0),
    ...fields
  })

/** A run as it is when its execution was just accepted. */
export const acceptedRun = (fields: Partial<Execution> = {}): Run => accepted(execution(fields)).run

/** A run claimed at second 1, under epoch 1, to be started by second 61. */
export const claimedRun = (fields: Partial<Execution> = {}): Run =>
  claim(acceptedRun(fields), { sessionId, claimId: "claim-1", at: second(1), startDeadline: minute }).run

/** A run started at second 2, with a lease until second 62. */
export const startedRun = (fields: Partial<Execution> = {}): Run =>
  Result.getOrThrow(start(claimedRun(fields), { epoch: 1, at: second(2), lease: minute })).run

/** A question asked at second 3 that waits until second 63. */
export const question = (fields: Partial<InputRequest> = {}): InputRequest => ({
  id: InputId.make("01900000-0000-7000-8000-000000000007"),
  key: "code",
  prompt: "Which code did you get?",
  schema: {},
  onTimeout: "error",
  defaultValue: null,
  mode: "hold",
  askedAt: second(3),
  expiresAt: second(63),
  answeredAt: null,
  value: null,
  ...fields
})

/** A run that waits for the answer to a question. */
export const askingRun = (input: InputRequest = question(), fields: Partial<Execution> = {}): Run =>
  Result.getOrThrow(ask(startedRun(fields), { epoch: 1, input, at: input.askedAt })).change.run

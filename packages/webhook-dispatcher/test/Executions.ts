/** Executions that cause deliveries, for tests. */
import type { Execution } from "@runhook/core/executions/Execution"
import { AgentId, ExecutionId, newId, TaskId, TaskVersionId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { makeAnnounce } from "@runhook/core/signals/ChangeSignals"
import { queuedExecution } from "@runhook/store-testing/Fixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { makeKey } from "./World.ts"

type KeyRecord = Effect.Success<ReturnType<typeof makeKey>>["record"]

/** Creates an execution whose callbacks go to the URL, as a service does. */
export const makeExecution = Effect.fnUntraced(function* (
  { accountId, id: apiKeyId }: KeyRecord,
  callbackUrl: string
) {
  const store = yield* ExecutionStore
  const at = yield* DateTime.now
  const id = yield* newId(ExecutionId)
  const execution = queuedExecution({
    id,
    accountId,
    apiKeyId,
    agentId: yield* newId(AgentId),
    taskId: yield* newId(TaskId),
    taskVersionId: yield* newId(TaskVersionId),
    metadata: StoredJson.of({}),
    params: StoredJson.of({}),
    callbackUrl,
    requestId: "req_1",
    createdAt: at
  })
  const limits = { idempotency: null, accountMaxLive: 1_000, keyMaxLive: null }
  const { change } = yield* store.create({ ...limits, execution })
  yield* (yield* makeAnnounce)([change])
  return execution
})

/** Stops it. */
export const stop = Effect.fnUntraced(function* ({ accountId, id }: Execution) {
  const store = yield* ExecutionStore
  const options = { accountId, id, to: "aborted", reason: null } as const
  yield* (yield* makeAnnounce)([yield* store.stop({ ...options, at: yield* DateTime.now })])
})

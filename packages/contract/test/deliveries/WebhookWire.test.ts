import { assert, describe, it } from "@effect/vitest"
import { ExecutionEventType } from "@runhook/core/deliveries/WebhookEventType"
import { renderExecutionEvent, renderTestEvent } from "@runhook/core/deliveries/WebhookPayload"
import {
  AccountId,
  AgentId,
  ApiKeyId,
  EventId,
  ExecutionId,
  TaskId,
  TaskVersionId
} from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { queuedExecution } from "@runhook/store-testing/Fixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ExecutionEvent, TestEvent } from "../../src/deliveries/WebhookWire.ts"

const uuid = "01900000-0000-7000-8000-000000000001"
const at = DateTime.makeUnsafe("2030-01-01T00:00:00.500Z")

const execution = queuedExecution({
  id: ExecutionId.make(uuid),
  accountId: AccountId.make(uuid),
  apiKeyId: ApiKeyId.make(uuid),
  agentId: AgentId.make(uuid),
  taskId: TaskId.make(uuid),
  taskVersionId: TaskVersionId.make(uuid),
  status: "completed",
  result: StoredJson.of({ pages: 2 }),
  errorMessage: "No paper",
  createdAt: at,
  startedAt: at
})

const closed = { onExcessProperty: "error" } as const
const event = { id: EventId.make(uuid), occurredAt: at }

describe("the bodies of callbacks", () => {
  it.effect.each(ExecutionEventType.literals)("are rendered as the contract describes them: %s", (type) =>
    Effect.gen(function* () {
      const body = JSON.parse(renderExecutionEvent({ ...event, type, execution }))

      const decoded = yield* Schema.decodeUnknownEffect(ExecutionEvent, closed)(body)

      assert.deepStrictEqual(yield* Schema.encodeEffect(ExecutionEvent)(decoded), body)
    })
  )

  it.effect("are rendered as the contract describes them: webhook.test", () =>
    Effect.gen(function* () {
      const body = JSON.parse(renderTestEvent({ ...event, requestId: execution.requestId }))

      const decoded = yield* Schema.decodeUnknownEffect(TestEvent, closed)(body)

      assert.deepStrictEqual(yield* Schema.encodeEffect(TestEvent)(decoded), body)
    })
  )
})

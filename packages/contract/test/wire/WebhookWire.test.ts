import { assert, describe, it } from "@effect/vitest"
import { ExecutionEventType } from "@runhook/core/domain/delivery/WebhookEventType"
import { renderExecutionEvent, renderTestEvent } from "@runhook/core/domain/delivery/WebhookPayload"
import { Execution } from "@runhook/core/domain/execution/Execution"
import { EventId } from "@runhook/core/domain/Ids"
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ExecutionEvent, TestEvent } from "../../src/wire/WebhookWire.ts"

const uuid = "01900000-0000-7000-8000-000000000001"
const at = DateTime.makeUnsafe("2030-01-01T00:00:00.500Z")

const execution = Schema.decodeUnknownSync(Schema.toType(Execution))({
  id: uuid,
  accountId: uuid,
  apiKeyId: uuid,
  agentId: uuid,
  taskId: uuid,
  taskVersionId: uuid,
  status: "completed",
  statusReason: null,
  reference: "order-7",
  metadata: StoredJson.of({ order: 7, "_service.origin": "test" }),
  params: StoredJson.of({}),
  result: StoredJson.of({ pages: 2 }),
  errorMessage: "No paper",
  priority: 0,
  scheduledAt: null,
  expiresAt: null,
  timeoutSeconds: null,
  maxAttempts: 1,
  retryBackoff: { initialSeconds: 1, factor: 2, maxSeconds: 60, jitter: 0 },
  attempt: 1,
  epoch: 1,
  inputRequest: null,
  callbackUrl: "https://receiver.example.com/hooks",
  callbackEvents: null,
  requestId: "req_0mk2x8c1q7",
  sealedParams: null,
  rerunOf: null,
  scheduleId: null,
  concurrency: null,
  traceparent: null,
  createdAt: at,
  updatedAt: at,
  startedAt: at,
  stoppedAt: null
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

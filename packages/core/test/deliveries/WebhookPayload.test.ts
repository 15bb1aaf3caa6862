import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { ExecutionEventType } from "../../src/deliveries/WebhookEventType.ts"
import { renderExecutionEvent, renderTestEvent } from "../../src/deliveries/WebhookPayload.ts"
import { CallerMetadata } from "../../src/executions/Metadata.ts"
import { EventId } from "../../src/shared/Ids.ts"
import { StoredJson } from "../../src/shared/json/StoredJson.ts"
import { execution, second } from "../runs/RunFixtures.ts"
import { ReadableObject } from "../../src/shared/json/Json.ts"

const id = EventId.make("01900000-0000-7000-8000-0000000000ee")
const ended = execution({
  status: "completed",
  result: StoredJson.of({ sum: 3 }),
  errorMessage: "of an earlier attempt",
  startedAt: second(1.5),
  stoppedAt: second(2),
  updatedAt: second(2)
})

describe("WebhookPayload", () => {
  it("shows the execution as it is after the change, without reserved metadata", () => {
    const body = renderExecutionEvent({
      id,
      type: "execution.completed",
      occurredAt: second(2),
      execution: ended
    })

    assert.strictEqual(
      body,
      JSON.stringify({
        event_id: id,
        type: "execution.completed",
        occurred_at: "2030-01-01T00:00:02.000Z",
        request_id: "req_test",
        reference: "order-7",
        metadata: { order: 7 },
        execution: {
          id: ended.id,
          account_id: ended.accountId,
          agent_id: ended.agentId,
          task_id: ended.taskId,
          task_version_id: ended.taskVersionId,
          status: "completed",
          result: { sum: 3 },
          error_message: null,
          started_at: "2030-01-01T00:00:01.500Z",
          stopped_at: "2030-01-01T00:00:02.000Z",
          created_at: "2030-01-01T00:00:00.000Z",
          updated_at: "2030-01-01T00:00:02.000Z"
        }
      })
    )
  })

  it.prop(
    "is the same text whatever callers and runners say",
    [Schema.String, CallerMetadata, ReadableObject, Schema.String],
    ([reference, metadata, result, errorMessage]) => {
      const said = {
        reference,
        metadata: StoredJson.of(metadata),
        result: StoredJson.of(result),
        errorMessage
      }
      const textOf = (type: ExecutionEventType) =>
        renderExecutionEvent({ id, type, occurredAt: second(2), execution: { ...ended, ...said } })

      const [completed, failed] = [textOf("execution.completed"), textOf("execution.failed")]
      assert.strictEqual(JSON.stringify(JSON.parse(completed)), completed)
      assert.strictEqual(JSON.stringify(JSON.parse(failed)), failed)
      // What the texts say, since minus nothing is nothing in JSON.
      const [toldMetadata, toldResult] = [said.metadata, said.result].map(({ text }) => JSON.parse(text))
      assert.deepInclude(JSON.parse(completed), { reference, metadata: toldMetadata })
      assert.deepStrictEqual(JSON.parse(completed).execution.result, toldResult)
      assert.strictEqual(JSON.parse(failed).execution.error_message, errorMessage)
    }
  )

  it("shows a result only when completed, and an error only when failed", () => {
    const event = { id, occurredAt: second(2), execution: ended }

    const failed = JSON.parse(renderExecutionEvent({ ...event, type: "execution.failed" }))
    const aborted = JSON.parse(renderExecutionEvent({ ...event, type: "execution.aborted" }))

    assert.deepInclude(failed.execution, { result: null, error_message: "of an earlier attempt" })
    assert.deepInclude(aborted.execution, { result: null, error_message: null })
  })

  it("has a message instead of an execution in a test event", () => {
    const body = JSON.parse(renderTestEvent({ id, occurredAt: second(2), requestId: "req_test" }))

    assert.deepInclude(body, { event_id: id, type: "webhook.test", execution: null, metadata: {} })
    assert.isString(body.message)
  })
})

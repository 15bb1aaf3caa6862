import { assert, describe } from "@effect/vitest"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { EventId, ExecutionId, newId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { start } from "@runhook/test-support/receivers/Receiver"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { answeringLater } from "./Answers.ts"
import { makeDispatcher, makeKey, nextSettled, test } from "./World.ts"

describe("WebhookDispatcher: order", () => {
  test("sends the events of an execution one after the other, each as soon as the one before has arrived", function* () {
    const store = yield* DeliveryStore
    const { record } = yield* makeKey()
    const { answer, release } = answeringLater()
    const { received, url } = yield* start(answer)
    const executionId = yield* newId(ExecutionId)
    const at = yield* DateTime.now
    const events = yield* Effect.replicateEffect(newId(EventId), 3)
    for (const [place, id] of events.entries()) {
      const { accountId } = record
      const subject = {
        id,
        accountId,
        apiKeyId: record.id,
        executionId,
        revision: place + 1,
        type: "webhook.test",
        url
      } as const
      const delivery = newDelivery({ ...subject, requestId: "req_1", reference: null, body: "{}" }, at)
      yield* store.enqueue(delivery)
    }
    yield* makeDispatcher()

    // The clock stands still: nothing is found by looking again after a while.
    const turns = yield* Effect.replicateEffect(
      Effect.gen(function* () {
        const { headers } = yield* Queue.take(received)
        const others = yield* Queue.size(received)
        release()
        yield* nextSettled
        return [headers["x-webhook-event-id"], others]
      }),
      events.length
    )

    assert.deepStrictEqual(
      turns,
      events.map((id) => [id, 0])
    )
  })
})

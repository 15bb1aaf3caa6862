import { assert, describe } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { Signals } from "@runhook/core/signals/Signals"
import { Deliveries } from "@runhook/core/deliveries/Deliveries"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import { parked } from "@runhook/test-support/engine/Runner"
import { deliveriesOf, makeTenant, type Tenant } from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

const url = "https://hooks.example.com/in"

const sendTest = Effect.fnUntraced(function* ({ caller }: Tenant, callbackUrl: string = url) {
  const { accountId, id: apiKeyId } = caller
  const deliveries = yield* Deliveries
  return (yield* deliveries.test({ accountId, apiKeyId, callbackUrl, requestId: "req_test" })).delivery
})

/** Lets a dispatcher take the delivery and fail for good. */
const giveUp = Effect.fnUntraced(function* (delivery: Delivery) {
  const { accountId } = delivery
  const [at, store] = [yield* DateTime.now, yield* DeliveryStore]
  yield* store.claimDue({ room: roomFor(100), lease: Duration.seconds(45), at })
  const attempt = attemptOf({ ...delivery, attempts: 1 }, { startedAt: at, status: 410, cause: "not_found" })
  yield* store.settle([{ accountId, attempt, verdict: { _tag: "Dead" } }], at)
})

/** A wait for the next signal that there are deliveries to make. */
const deliverySignal = Effect.gen(function* () {
  const signals = yield* Signals
  return yield* parked(yield* signals.subscribe(["deliveries"]))
})

describe("Deliveries", () => {
  test("queues a test event, due at once, and wakes the dispatcher", function* () {
    const tenant = yield* makeTenant()
    const signal = yield* deliverySignal

    const delivery = yield* sendTest(tenant, "HTTPS://hooks.example.com:443/in")

    yield* Fiber.join(signal)
    assert.deepStrictEqual((yield* (yield* Deliveries).get(delivery)).delivery, delivery)
    assert.deepInclude(delivery, { url, type: "webhook.test", state: "pending", nextAttemptAt: second(0) })
    assert.deepInclude(JSON.parse(delivery.body), {
      event_id: delivery.id,
      request_id: "req_test",
      execution: null
    })
  })

  test("queues nothing to a target that may not be called", function* () {
    const tenant = yield* makeTenant()

    const error = yield* Effect.flip(sendTest(tenant, "http://localhost/hook"))

    assert.strictEqual(error._tag, "TargetRefused")
    assert.deepStrictEqual(yield* deliveriesOf(tenant), [])
  })

  test("tests nothing with a key of another account", function* () {
    const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
    const { accountId } = other.caller

    const error = yield* Effect.flip(sendTest({ ...tenant, caller: { ...tenant.caller, accountId } }))

    assert.strictEqual(error._tag, "ApiKeyNotFound")
  })

  test("replays a settled delivery under the same id with the same body, and wakes the dispatcher", function* () {
    const deliveries = yield* Deliveries
    const delivery = yield* sendTest(yield* makeTenant())
    yield* giveUp(delivery)
    const signal = yield* deliverySignal

    const replayed = yield* deliveries.replay(delivery)

    yield* Fiber.join(signal)
    assert.deepInclude(replayed, { id: delivery.id, body: delivery.body, state: "pending", round: 2 })
    assert.strictEqual((yield* deliveries.get(delivery)).attempts.length, 1)
  })

  test("does not replay what is still being delivered", function* () {
    const delivery = yield* sendTest(yield* makeTenant())

    const error = yield* Effect.flip((yield* Deliveries).replay(delivery))

    assert.deepInclude(error, { _tag: "DeliveryNotSettled", state: "pending" })
  })

  test("finds no delivery of another account", function* () {
    const deliveries = yield* Deliveries
    const { id } = yield* sendTest(yield* makeTenant())
    const { accountId } = (yield* makeTenant()).caller

    const error = yield* Effect.flip(deliveries.replay({ accountId, apiKeyId: null, id }))

    assert.strictEqual(error._tag, "DeliveryNotFound")
  })
})

import { assert, describe } from "@effect/vitest"
import { replacedReason } from "@runhook/core/runs/seats/Concurrency"
import * as Seats from "@runhook/core/runs/seats/Seats"
import { Executions } from "@runhook/core/executions/Executions"
import { History } from "@runhook/core/executions/history/History"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import { idsOf, makeRunner, parked, poll, pollNow } from "@runhook/test-support/engine/Runner"
import { current, makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"

const concurrency = { key: "customer 42", limit: 1, policy: "queue" } as const

describe("Seats.layerLoop", () => {
  test("wakes a poll that waits with what has got a seat, and tells the others who has it", function* () {
    const tenant = yield* makeTenant()
    yield* Layer.build(Seats.layerLoop)
    const runner = yield* makeRunner(tenant)
    const polling = yield* parked(poll(runner))
    const first = yield* makeExecution(tenant, { concurrency })
    const waiting = yield* makeExecution(tenant, { concurrency })
    yield* TestClock.adjust("10 millis")

    const { blockedBy, position } = yield* (yield* History).explain(waiting)

    const answer = polling.pollUnsafe()
    assert.deepStrictEqual(answer?._tag === "Success" ? idsOf(answer.value) : null, [first.id])
    assert.deepStrictEqual(blockedBy, [
      { kind: "concurrency_key", id: waiting.id, key: concurrency.key, limit: 1, current: 1 }
    ])
    assert.isNull(position)
  })

  test("seats what falls due, without a signal", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const later = yield* makeExecution(tenant, { concurrency, scheduledAt: second(7) })
    yield* Layer.build(Seats.layerLoop)
    yield* TestClock.adjust("6999 millis")
    const before = yield* pollNow(runner)

    yield* TestClock.adjust("1 millis")

    assert.deepStrictEqual([before, yield* pollNow(runner)].map(idsOf), [[], [later.id]])
  })

  test("cancels what is at work for one that cancels others, and runs that next", function* () {
    const tenant = yield* makeTenant()
    yield* Layer.build(Seats.layerLoop)
    const runner = yield* makeRunner(tenant)
    const running = yield* makeExecution(tenant, { concurrency })
    yield* TestClock.adjust("10 millis")
    yield* pollNow(runner)
    yield* makeExecution(tenant, { concurrency })
    const policy = { ...concurrency, policy: "cancel_running" } as const
    const cancelling = yield* makeExecution(tenant, { concurrency: policy })

    yield* TestClock.adjust(Duration.seconds(1))

    const { status, statusReason } = yield* current(running)
    assert.deepStrictEqual([status, statusReason], ["cancelled", replacedReason])
    assert.deepStrictEqual(idsOf(yield* pollNow(runner)), [cancelling.id])
  })

  test("keeps the key of what is run again", function* () {
    const tenant = yield* makeTenant()
    const { accountId, id } = yield* makeExecution(tenant, { concurrency })

    const { execution } = yield* (yield* Executions).rerun({
      accountId,
      id,
      caller: tenant.caller,
      version: "same",
      params: undefined,
      idempotencyKey: undefined,
      requestId: "req_rerun"
    })

    assert.deepStrictEqual(execution.concurrency, concurrency)
  })
})

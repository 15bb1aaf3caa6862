/** What every store does so that no callback is lost, doubled or made up: a change and its event are stored together. */
import { assert } from "@effect/vitest"
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import type { WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import { renderExecutionEvent } from "@runhook/core/deliveries/WebhookPayload"
import { instantOf } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import {
  callbackUrl,
  deliveriesOf,
  eventsOf,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  unlimited
} from "../Fixtures.ts"
import { claimUpTo, lease, makeSession, makeStartedRun, writeTo } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { makeInlet } from "./queue/InletFixtures.ts"

/** Ends of an attempt, and the event each of them has. */
const ends: NonEmptyReadonlyArray<readonly [Outcome, WebhookEventType]> = [
  [{ _tag: "Completed", result: StoredJson.of({ sum: 3 }) }, "execution.completed"],
  [{ _tag: "Failed", message: "no such page", isRetryable: true }, "execution.failed"],
  [{ _tag: "Cancelled", reason: "not needed" }, "execution.aborted"]
]

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Callbacks", { layer, name }, (it) => {
    it.test("stores with the change a delivery that is due at once", function* () {
      const execution = yield* makeExecution(yield* makeTenant(), { callbackUrl, createdAt: second(5) })

      const deliveries = yield* deliveriesOf(execution)

      assert.strictEqual(deliveries.length, 1)
      for (const { id, body, ...delivery } of deliveries) {
        assert.deepStrictEqual(delivery, {
          accountId: execution.accountId,
          apiKeyId: execution.apiKeyId,
          endpointId: null,
          executionId: execution.id,
          revision: 1,
          type: "execution.queued",
          url: callbackUrl,
          requestId: execution.requestId,
          reference: execution.reference,
          traceparent: null,
          state: "pending",
          attempts: 0,
          attemptedAt: null,
          round: 1,
          replayId: null,
          nextAttemptAt: second(5),
          expiresAt: DateTime.addDuration(second(5), deliveryLifetime),
          lastStatus: null,
          lastError: null,
          lastCause: null,
          createdAt: second(5),
          settledAt: null
        })
        assert.strictEqual(
          body,
          renderExecutionEvent({ id, type: "execution.queued", occurredAt: second(5), execution })
        )
        assert.isTrue(DateTime.isDateTime(instantOf(id)))
      }
    })

    it.test(
      "names with each change the delivery that tells of it, and none where nothing is told",
      function* () {
        const runs = yield* RunStore
        const tenant = yield* makeTenant()
        const { run } = yield* makeStartedRun(tenant, { callbackUrl })
        const silent = yield* makeStartedRun(tenant)
        const outcome = { _tag: "Completed", result: null } as const

        const told = yield* runs.finish({ ...writeTo(run, second(9)), outcome, fingerprint: "one" })
        const untold = yield* runs.finish({
          ...writeTo(silent.run, second(9)),
          outcome,
          fingerprint: "one"
        })

        const deliveries = yield* deliveriesOf(run.execution)
        const ofChange = deliveries.find(({ type }) => type === "execution.completed")
        assert.isDefined(told.deliveryId)
        assert.strictEqual(told.deliveryId, ofChange?.id)
        assert.isUndefined(untold.deliveryId)
      }
    )

    it.test("names with a new execution the delivery that tells of it", function* () {
      const executions = yield* ExecutionStore
      const execution = yield* newExecution(yield* makeTenant(), { callbackUrl })
      const { change } = yield* executions.create({ ...unlimited, execution })

      const deliveries = yield* deliveriesOf(execution)

      assert.isDefined(change.deliveryId)
      assert.deepStrictEqual(
        deliveries.map(({ id }) => id),
        [change.deliveryId]
      )
    })

    it.test("gives the runner and each callback the trace of the first of equal requests", function* () {
      const executions = yield* ExecutionStore
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
      const idempotency = { key: "order-7", fingerprint: "of the body", expiresAt: second(1_000) }
      const asked = { ...unlimited, idempotency }
      const inlet = yield* makeInlet(tenant, { places: 1 })
      const execution = yield* newExecution(tenant, { traceparent, callbackUrl })
      const { accountId, id } = execution
      yield* executions.create({ ...asked, execution })
      const other = traceparent.replaceAll("a", "c")
      const repeat = yield* newExecution(tenant, { traceparent: other, callbackUrl })
      const { change } = yield* executions.create({ ...asked, execution: repeat })
      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(1) })
      for (const { run } of claims) yield* runs.start({ ...writeTo(run, second(2)), lease })

      const untraced = yield* makeExecution(tenant, { callbackUrl })

      const seen = [change.run.execution, yield* executions.get(accountId, id)]
      seen.push(...claims.map(({ run }) => run.execution))
      const told = [...inlet.begun, ...(yield* deliveriesOf({ accountId, id }))]
      assert.deepStrictEqual(
        told.map(({ type }) => type),
        ["execution.queued", "execution.queued", "execution.started"]
      )
      assert.deepStrictEqual(
        [...seen, ...told].map((each) => each.traceparent),
        Array.from({ length: 6 }, () => traceparent)
      )
      assert.deepStrictEqual(
        (yield* deliveriesOf(untraced)).map((each) => each.traceparent),
        [null]
      )
    })

    it.effect.each(ends)("sends each event with the execution as it was then: %j", ([outcome, type]) =>
      Effect.gen(function* () {
        const runs = yield* RunStore
        const { run } = yield* makeStartedRun(yield* makeTenant(), { callbackUrl })
        const change = yield* runs.finish({ ...writeTo(run, second(9)), outcome, fingerprint: "one" })

        const deliveries = yield* deliveriesOf(run.execution)

        const [, started, ended] = deliveries
        assert.deepStrictEqual(
          deliveries.map((delivery) => delivery.type),
          ["execution.queued", "execution.started", type]
        )
        assert.deepInclude(JSON.parse(started?.body ?? "").execution, { status: "running", result: null })
        assert.strictEqual(change.event, type)
        assert.deepInclude(JSON.parse(ended?.body ?? "").execution, {
          status: change.run.execution.status,
          result: change.run.execution.result?.value ?? null,
          error_message: change.run.execution.errorMessage
        })
      })
    )

    it.test("counts the change that each event tells of among all changes", function* () {
      const runs = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant(), { callbackUrl })
      const [[outcome]] = ends
      const change = yield* runs.finish({ ...writeTo(run, second(9)), outcome, fingerprint: "one" })

      const deliveries = yield* deliveriesOf(run.execution)

      // Created, claimed, started and finished: nobody is told of the claim.
      assert.deepStrictEqual(
        [deliveries.map(({ revision }) => revision), change.run.revision],
        [[1, 3, 4], 4]
      )
    })

    it.effect.each(["aborted", "cancelled"] as const)("tells of an execution that was %s", (to) =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const { accountId, id } = yield* makeExecution(yield* makeTenant(), { callbackUrl })

        yield* store.stop({ accountId, id, to, reason: null, at: second(1) })

        assert.deepStrictEqual(yield* eventsOf({ accountId, id }), ["execution.queued", "execution.aborted"])
      })
    )

    it.test("sends each type once, however often the work is queued and started", function* () {
      const runs = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant(), { callbackUrl, maxAttempts: 2 })
      const outcome = { _tag: "Failed", message: "try again", isRetryable: true } as const
      yield* runs.finish({ ...writeTo(run, second(3)), outcome, fingerprint: "one" })
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(4) })

      for (const claimed of claims) {
        const { run: restarted } = yield* runs.start({ ...writeTo(claimed.run, second(5)), lease })
        yield* runs.finish({ ...writeTo(restarted, second(6)), outcome, fingerprint: "two" })
      }

      assert.deepStrictEqual(yield* eventsOf(run.execution), [
        "execution.queued",
        "execution.started",
        "execution.failed"
      ])
    })

    it.test("sends only the events that are wanted", function* () {
      const runs = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant(), {
        callbackUrl,
        callbackEvents: ["execution.completed"]
      })

      const outcome = { _tag: "Completed", result: null } as const
      yield* runs.finish({ ...writeTo(run, second(3)), outcome, fingerprint: "one" })

      assert.deepStrictEqual(yield* eventsOf(run.execution), ["execution.completed"])
    })

    it.test("sends nothing for executions without a callback URL", function* () {
      const { run } = yield* makeStartedRun(yield* makeTenant())

      const deliveries = yield* deliveriesOf(run.execution)

      assert.deepStrictEqual(deliveries, [])
    })

    it.test("sends nothing for a change that finds its work already done", function* () {
      const runs = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant(), { callbackUrl })

      const again = yield* runs.start({ ...writeTo(run, second(3)), lease })

      assert.isNull(again.event)
      assert.deepStrictEqual(yield* eventsOf(run.execution), ["execution.queued", "execution.started"])
    })
  })

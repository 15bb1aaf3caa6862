/** What every store does with events for endpoints for which a dispatcher of its process has a place. */
import { assert } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { claimAll, lease, stored } from "../deliveries/DeliveryFixtures.ts"
import { settleAll } from "../deliveries/DeliveryTurns.ts"
import { makeInlet } from "../deliveries/queue/InletFixtures.ts"
import { deliveriesOf, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { lease as leaseOfRuns, makeClaimedRun, writeTo } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { fanOutAll, makeEndpoint } from "./EndpointFixtures.ts"

/** What is told at second 7, in as many rounds as there are changes, or all at once. */
const fanOut = (limit = 1_000) =>
  EndpointStore.use((store) => Effect.map(store.fanOut({ limit, at: second(7) }), ({ events }) => events))

/** An account with an endpoint and an inlet, of which nothing is noted. */
const makeWorld = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant()
  const endpoint = yield* makeEndpoint(tenant.accountId)
  yield* fanOutAll
  return { endpoint, inlet: yield* makeInlet(tenant), tenant }
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Handing over to endpoints", { layer, name }, (it) => {
    it.test("stores an event as claimed when it is told, and hands over what it stores", function* () {
      const { inlet, tenant } = yield* makeWorld()
      const execution = yield* makeExecution(tenant, { createdAt: second(5) })

      const events = yield* fanOut()

      assert.deepStrictEqual(
        events.map(({ isHandedOver }) => isHandedOver),
        [true]
      )
      assert.deepStrictEqual(inlet.ends(), ["begun"])
      assert.deepStrictEqual(inlet.begun, yield* deliveriesOf(execution))
      const { attemptedAt, attempts, createdAt, nextAttemptAt, state } = inlet.begun[0] ?? {}
      assert.deepStrictEqual(
        { attemptedAt, attempts, createdAt, nextAttemptAt, state },
        {
          attemptedAt: second(7),
          attempts: 1,
          createdAt: second(5),
          nextAttemptAt: DateTime.addDuration(second(7), lease),
          state: "pending"
        }
      )
      assert.deepStrictEqual(yield* claimAll(tenant, { at: second(8) }), [])
    })

    it.test("hands over each event with the same bytes that a read gives", function* () {
      const { inlet, tenant } = yield* makeWorld()
      const runs = yield* RunStore
      const create = { metadata: StoredJson.of({ é: '\u2028 "\\' }), reference: 'a "reference"' }
      for (const outcome of [
        { _tag: "Completed", result: StoredJson.of({ sum: [1e21, -0] }) },
        { _tag: "Failed", message: "no such\tpage", isRetryable: false }
      ] as const) {
        const { run } = yield* makeClaimedRun(tenant, create)
        const started = yield* runs.start({ ...writeTo(run, second(2)), lease: leaseOfRuns })
        yield* runs.finish({ ...writeTo(started.run, second(3)), outcome, fingerprint: "f" })
      }

      yield* fanOut()

      assert.lengthOf(inlet.begun, 6)
      for (const each of inlet.begun) assert.deepStrictEqual(each, (yield* stored(tenant, each.id)).delivery)
    })

    for (const limit of [1, 1_000])
      it.test(`hands over an event behind the one before it, told ${limit} at a time`, function* () {
        const { inlet, tenant } = yield* makeWorld()
        const executions = yield* ExecutionStore
        const { accountId, id } = yield* makeExecution(tenant)
        yield* executions.stop({ accountId, id, to: "aborted", reason: null, at: second(6) })

        yield* fanOut(limit)
        yield* fanOut(limit)

        const [queued] = inlet.begun
        assert.deepStrictEqual(
          inlet.begun.map(({ type }) => type),
          ["execution.queued", "execution.aborted"]
        )
        assert.deepStrictEqual(inlet.behind, [null, queued?.id])
        assert.deepStrictEqual(yield* claimAll(tenant, { at: second(8) }), [])
      })

    it.test("begins events of different endpoints side by side", function* () {
      const { inlet, tenant } = yield* makeWorld()
      yield* makeEndpoint(tenant.accountId)
      yield* makeExecution(tenant)

      yield* fanOut()

      assert.deepStrictEqual(
        [inlet.ends(), inlet.behind],
        [
          ["begun", "begun"],
          [null, null]
        ]
      )
    })

    it.test("keeps an event behind an earlier one that another dispatcher holds", function* () {
      const { inlet, tenant } = yield* makeWorld()
      const store = yield* DeliveryStore
      const executions = yield* ExecutionStore
      const { accountId, id } = yield* makeExecution(tenant)
      yield* fanOut()
      yield* store.takeBack({ from: { _tag: "One", dispatcher: inlet.dispatcher }, at: second(7) })
      const held = yield* claimAll(tenant, { at: second(7) })
      yield* executions.stop({ accountId, id, to: "aborted", reason: null, at: second(7) })

      const events = yield* fanOut()

      assert.deepStrictEqual(
        [inlet.ends(), events.map(({ isHandedOver }) => isHandedOver)],
        [["begun", "freed"], [false]]
      )
      assert.deepStrictEqual(yield* claimAll(tenant, { at: second(8) }), [])
      yield* settleAll(tenant, held, { at: second(9) })
      assert.deepStrictEqual(
        (yield* claimAll(tenant, { at: second(9) })).map(({ type }) => type),
        ["execution.aborted"]
      )
    })

    it.test("hands over nothing to a receiver that is left alone", function* () {
      const { inlet, tenant } = yield* makeWorld()
      yield* makeExecution(tenant)
      yield* fanOut()
      yield* settleAll(tenant, inlet.begun, {
        at: second(7),
        move: { _tag: "Open", openings: 1, until: second(20) },
        verdict: { _tag: "Retry", nextAttemptAt: second(20) }
      })
      yield* makeExecution(tenant)

      yield* fanOut()

      assert.deepStrictEqual(inlet.ends(), ["begun", "freed"])
    })

    it.test("begins nothing that has expired before it was told", function* () {
      const { inlet, tenant } = yield* makeWorld()
      yield* makeExecution(tenant, { createdAt: DateTime.subtract(second(7), { hours: 96 }) })

      yield* fanOut()

      assert.deepStrictEqual(inlet.ends(), ["freed"])
    })

    it.test(
      "keeps no place for a message that is fetched, nor for a change that nobody is told of",
      function* () {
        const { inlet, tenant } = yield* makeWorld()
        const quiet = yield* makeTenant()
        yield* makeEndpoint(quiet.accountId, { eventTypes: ["execution.failed"] })
        const other = yield* makeInlet(quiet)
        yield* makeEndpoint(tenant.accountId, { kind: "poll" })
        yield* makeExecution(tenant)
        yield* makeExecution(quiet)

        const events = yield* fanOut()

        assert.deepStrictEqual([events.length, inlet.ends(), other.ends()], [2, ["begun"], []])
        assert.deepStrictEqual(yield* fanOut(), [])
      }
    )
  })

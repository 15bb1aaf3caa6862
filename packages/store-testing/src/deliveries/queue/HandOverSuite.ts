/** What every store does with deliveries for which a dispatcher of its process has a place. */
import { assert } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { receiverOf } from "@runhook/core/deliveries/claim/Receiver"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import {
  callbackUrl,
  deliveriesOf,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  unlimited
} from "../../Fixtures.ts"
import { lease as leaseOfRuns, makeClaimedRun, writeTo } from "../../runs/RunFixtures.ts"
import { claimAll, lease, type Sender, stored } from "../DeliveryFixtures.ts"
import { settleAll } from "../DeliveryTurns.ts"
import { makeHandedOverDelivery, makeInlet } from "./InletFixtures.ts"
import { suiteOf } from "../../SuiteOf.ts"

/** What becomes something else, or another text, on the way through a database that is not careful. */
const awkward = {
  "10": 1e21,
  "2": -0,
  é: '\u2028 \ud800 "\\ \u007f',
  __proto__: [],
  "_service.origin": "test",
  nested: { b: [null, true, 0.1], a: {} }
}

const asStored = (sender: Sender, deliveries: ReadonlyArray<Delivery>) =>
  Effect.forEach(deliveries, ({ id }) => Effect.map(stored(sender, id), ({ delivery }) => delivery))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Handing over", { layer, name }, (it) => {
    it.test("stores the event of a creation as claimed, and hands over what it stores", function* () {
      const tenant = yield* makeTenant()
      const { begun, ends } = yield* makeInlet(tenant)

      const execution = yield* makeExecution(tenant, { callbackUrl, createdAt: second(5) })

      assert.deepStrictEqual(ends(), ["begun"])
      assert.deepStrictEqual(begun, yield* deliveriesOf(execution))
      const { attemptedAt, attempts, nextAttemptAt, state } = begun[0] ?? {}
      assert.deepStrictEqual(
        { attemptedAt, attempts, nextAttemptAt, state },
        {
          attemptedAt: second(5),
          attempts: 1,
          nextAttemptAt: DateTime.addDuration(second(5), lease),
          state: "pending"
        }
      )
      assert.deepStrictEqual(yield* claimAll(tenant, { at: second(6) }), [])
    })

    it.test("hands over every event with the same bytes that a read gives", function* () {
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const inlet = yield* makeInlet(tenant)
      const settleBegun = Effect.suspend(() => settleAll(tenant, inlet.begun, { at: second(9) }))
      const create = { callbackUrl, metadata: StoredJson.of(awkward), reference: 'a "reference"\u2028' }
      for (const outcome of [
        { _tag: "Completed", result: StoredJson.of(awkward) },
        { _tag: "Failed", message: "no such\tpage \ud800", isRetryable: true },
        { _tag: "Cancelled", reason: "not needed" }
      ] as const) {
        const { run } = yield* makeClaimedRun(tenant, create)
        yield* settleBegun
        const started = yield* runs.start({ ...writeTo(run, second(2)), lease: leaseOfRuns })
        yield* settleBegun
        yield* runs.finish({ ...writeTo(started.run, second(3)), outcome, fingerprint: "f" })
        yield* settleBegun
      }

      assert.deepStrictEqual(
        inlet.begun.map(({ type }) => type),
        ["completed", "failed", "aborted"].flatMap((end) => [
          "execution.queued",
          "execution.started",
          `execution.${end}`
        ])
      )
      assert.deepStrictEqual(
        inlet.begun.map(({ body }) => body),
        (yield* asStored(tenant, inlet.begun)).map(({ body }) => body)
      )
    })

    it.test("hands over what a move has stored, as it is stored", function* () {
      const executions = yield* ExecutionStore
      const { execution, inlet, tenant } = yield* makeHandedOverDelivery()
      yield* settleAll(tenant, inlet.begun, { at: second(6) })

      yield* executions.stop({ ...execution, to: "aborted", reason: null, at: second(7) })

      const [, told] = inlet.begun
      assert.deepStrictEqual([told], yield* asStored(tenant, told === undefined ? [] : [told]))
      assert.deepStrictEqual([told?.attempts, told?.attemptedAt], [1, second(7)])
    })

    it.test("hands over what a sweep has caused", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const fields = { callbackUrl, callbackEvents: ["execution.aborted"], expiresAt: second(8) } as const
      const execution = yield* makeExecution(tenant, fields)
      const { begun } = yield* makeInlet(tenant)

      yield* sweeps.expireExecutions({ at: second(9), limit: 10_000 })

      assert.deepStrictEqual(begun, yield* deliveriesOf(execution))
    })

    it.test("hands over an event behind an earlier one that its dispatcher holds", function* () {
      const executions = yield* ExecutionStore
      const { delivery, execution, inlet, tenant } = yield* makeHandedOverDelivery()

      yield* executions.stop({ ...execution, to: "aborted", reason: null, at: second(7) })

      assert.deepStrictEqual(
        [inlet.ends(), inlet.behind],
        [
          ["begun", "begun"],
          [null, delivery.id]
        ]
      )
      assert.deepStrictEqual(yield* claimAll(tenant, { at: second(8) }), [])
    })

    it.test("keeps an event behind an earlier one that another dispatcher holds", function* () {
      const executions = yield* ExecutionStore
      const store = yield* DeliveryStore
      const { execution, inlet, tenant } = yield* makeHandedOverDelivery()
      const { dispatcher } = inlet
      yield* store.takeBack({ from: { _tag: "One", dispatcher }, at: second(6) })
      const held = yield* claimAll(tenant, { at: second(6) })

      yield* executions.stop({ ...execution, to: "aborted", reason: null, at: second(7) })

      assert.deepStrictEqual(inlet.ends(), ["begun", "freed"])
      assert.deepStrictEqual(yield* claimAll(tenant, { at: second(8) }), [])
      yield* settleAll(tenant, held, { at: second(9) })
      assert.deepStrictEqual(
        (yield* claimAll(tenant, { at: second(9) })).map(({ type }) => type),
        ["execution.aborted"]
      )
    })

    it.effect(
      "hands over nothing while the receiver is left alone, or probed, and again when it is back",
      () =>
        Effect.gen(function* () {
          const { delivery, inlet, tenant } = yield* makeHandedOverDelivery()
          const failing = (move: Parameters<typeof settleAll>[2]["move"] & object, seconds: number) =>
            settleAll(tenant, [delivery], {
              at: second(seconds),
              move,
              verdict: { _tag: "Retry", nextAttemptAt: second(seconds + 5) }
            })
          yield* failing({ _tag: "Open", openings: 1, until: second(20) }, 6)
          const created = (seconds: number, url = callbackUrl) =>
            makeExecution(tenant, { callbackUrl: url, createdAt: second(seconds) })

          yield* created(10)
          yield* created(10, "https://another.example/hook")
          yield* created(25)
          const ends = inlet.ends().slice(1)
          const probes = (yield* claimAll(tenant, { at: second(26) })).filter(
            (each) => receiverOf(each).origin === new URL(callbackUrl).origin
          )
          yield* settleAll(tenant, probes, { at: second(27), move: { _tag: "Close", openings: 1 } })
          yield* created(28)

          assert.deepStrictEqual(ends, ["freed", "begun", "freed"])
          assert.deepStrictEqual([probes.length, inlet.ends().at(-1)], [1, "begun"])
        })
    )

    it.test("hands over nothing to a receiver that asked for a pause until that is over", function* () {
      const { delivery, inlet, tenant } = yield* makeHandedOverDelivery()
      yield* settleAll(tenant, [delivery], { at: second(6), move: { _tag: "Pause", until: second(20) } })

      yield* makeExecution(tenant, { callbackUrl, createdAt: second(19) })
      yield* makeExecution(tenant, { callbackUrl, createdAt: second(20) })

      assert.deepStrictEqual(inlet.ends(), ["begun", "freed", "begun"])
    })

    it.effect(
      "leaves to whoever looks what there is no place for, and what comes when the inlet is closed",
      () =>
        Effect.gen(function* () {
          const tenant = yield* makeTenant()
          const scope = yield* Scope.make()
          const narrow = yield* makeInlet(tenant, { places: 1 }).pipe(
            Effect.provideService(Scope.Scope, scope)
          )
          const create = makeExecution(tenant, { callbackUrl })
          yield* create
          const without = yield* create
          yield* Scope.close(scope, Exit.void)
          const later = yield* create

          const claimed = yield* claimAll(tenant, { at: second(1) })

          assert.lengthOf(narrow.begun, 1)
          assert.sameMembers(
            claimed.map(({ executionId }) => executionId),
            [without.id, later.id]
          )
        })
    )

    it.test("hands over once what is asked for twice, and nothing that is refused", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { begun, ends } = yield* makeInlet(tenant)
      const idempotency = { key: "k", fingerprint: "f", expiresAt: second(1_000) }
      const create = Effect.gen(function* () {
        const execution = yield* newExecution(tenant, { callbackUrl })
        return yield* executions.create({ execution, ...unlimited, idempotency })
      })
      yield* create
      const again = yield* create
      const execution = yield* newExecution(tenant, { callbackUrl })
      yield* Effect.flip(executions.create({ execution, ...unlimited, accountMaxLive: 1, idempotency: null }))

      assert.deepStrictEqual([again.isDuplicate, again.change.isHandedOver ?? false], [true, false])
      assert.lengthOf(begun, 1)
      assert.notInclude(ends(), "")
    })
  })

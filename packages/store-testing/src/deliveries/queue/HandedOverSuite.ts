/** What becomes in every store of what was handed over, and of those who are told of it. */
import { assert } from "@effect/vitest"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { topicsOf } from "@runhook/core/signals/ChangeSignals"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import {
  callbackUrl,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  unlimited
} from "../../Fixtures.ts"
import { claimUpTo, lease as leaseOfRuns, makeSession, writeTo } from "../../runs/RunFixtures.ts"
import { attemptOf, claimAll, claimOnce, lease, makeDelivery, stored } from "../DeliveryFixtures.ts"
import { settleAll } from "../DeliveryTurns.ts"
import { makeHandedOverDelivery, makeInlet } from "./InletFixtures.ts"
import { suiteOf } from "../../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Handed over", { layer, name }, (it) => {
    it.test("goes on to another inlet when one has no place", function* () {
      const tenant = yield* makeTenant()
      const one = yield* makeInlet(tenant, { places: 1 })
      const other = yield* makeInlet(tenant)

      yield* Effect.replicateEffect(makeExecution(tenant, { callbackUrl }), 3)

      assert.deepStrictEqual([one.begun.length, other.begun.length], [1, 2])
    })

    it.test("wakes no poll for a run that is handed over", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      yield* makeInlet(tenant, { places: 1 })
      const create = Effect.gen(function* () {
        const execution = yield* newExecution(tenant, { callbackUrl })
        const { change } = yield* executions.create({ execution, ...unlimited, idempotency: null })
        return topicsOf(change)
      })

      const [handedOver, due] = [yield* create, yield* create]

      assert.deepStrictEqual(
        [handedOver, due].map((topics) => topics.includes("deliveries")),
        [false, true]
      )
      // Who watches the account is told of both.
      assert.deepStrictEqual(handedOver.length, due.length - 1)
    })

    it.test("gives out again what was handed over when its lease ends, as the next attempt", function* () {
      const { delivery, tenant } = yield* makeHandedOverDelivery()

      const claimed = yield* claimAll(tenant, { at: DateTime.addDuration(second(5), lease) })

      assert.deepStrictEqual(
        claimed.map(({ id, attempts }) => [id, attempts]),
        [[delivery.id, 2]]
      )
    })

    it.effect(
      "gives back what was handed over and never begun, and takes back what a killed process had",
      () =>
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const { delivery, inlet, tenant } = yield* makeHandedOverDelivery()
          const { dispatcher } = inlet

          const given = yield* store.giveBack({
            dispatcher,
            which: { _tag: "AllBut", ids: [] },
            at: second(6)
          })
          const [again] = yield* claimAll(tenant, { at: second(6) })
          yield* makeExecution(tenant, { callbackUrl, createdAt: second(7) })
          const taken = yield* store.takeBack({ from: { _tag: "One", dispatcher }, at: second(8) })
          const [, killed] = inlet.begun

          assert.deepStrictEqual([given, again?.id, again?.attempts], [1, delivery.id, 1])
          assert.deepStrictEqual(
            [taken, (yield* claimAll(tenant, { at: second(8) })).map(({ id, attempts }) => [id, attempts])],
            [1, [[killed?.id, 2]]]
          )
        })
    )

    it.test("settles what was handed over like anything claimed", function* () {
      const store = yield* DeliveryStore
      const { delivery, tenant } = yield* makeHandedOverDelivery()
      const attempt = attemptOf(delivery, { status: 200, error: null, startedAt: second(5) })

      yield* store.settle(
        [{ accountId: tenant.accountId, attempt, sent: delivery, verdict: { _tag: "Delivered" } }],
        second(6)
      )

      const { attempts, delivery: settled } = yield* stored(tenant, delivery.id)
      assert.deepStrictEqual([settled.state, attempts], ["delivered", [attempt]])
      const later = DateTime.addDuration(second(7), lease)
      assert.deepStrictEqual(yield* claimAll(tenant, { at: later }), [])
    })

    it.test("does not hand over what waits: a test, a replay, an execution on hold", function* () {
      const store = yield* DeliveryStore
      const { delivery, inlet, tenant } = yield* makeHandedOverDelivery()
      const { accountId } = tenant
      yield* settleAll(tenant, [delivery], { at: second(6) })
      yield* store.replay({ accountId, id: delivery.id, at: second(7) })
      yield* makeDelivery(tenant)
      yield* makeExecution(tenant, { callbackUrl, status: "pending" })

      assert.deepStrictEqual(inlet.ends(), ["begun"])
      assert.lengthOf((yield* claimOnce(tenant, { at: second(8) })).deliveries, 2)
    })

    it.test("tells a session of a move that was handed over as of any other", function* () {
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const { begun } = yield* makeInlet(tenant)
      yield* makeExecution(tenant, { callbackUrl, callbackEvents: ["execution.started"] })
      const session = yield* makeSession(tenant)
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(1) })
      const [claimed] = claims
      if (claimed === undefined) return yield* Effect.die("Nothing was claimed")

      const started = yield* runs.start({ ...writeTo(claimed.run, second(2)), lease: leaseOfRuns })

      assert.deepStrictEqual(
        [started.changed, started.isHandedOver, started.deliveryId],
        [true, true, begun[0]?.id]
      )
    })
  })

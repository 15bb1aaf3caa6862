import { assert, describe, it } from "@effect/vitest"
import { unchanged } from "@runhook/core/runs/Run"
import type { WorkInlet } from "@runhook/core/runs/claim/WorkInlet"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { RunnerSessions } from "@runhook/core/runs/sessions/RunnerSessions"
import { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import { Draining } from "@runhook/core/engine/Draining"
import { second } from "@runhook/store-testing/Fixtures"
import { engineOver, stores } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { idsOf, isOver, makeRunner, parked, poll, pollNow } from "@runhook/test-support/engine/Runner"
import { current, makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"

/** The inlets that polls have opened, in whose places tests put what they like. */
class Inlets extends Context.Service<Inlets, Array<WorkInlet>>()("@runhook/core/test/runs/claim/Inlets") {
  static readonly layer = Layer.sync(Inlets, () => [])
}

const inletsStore = Layer.effect(
  WorkInlets,
  Effect.gen(function* () {
    const inlets = yield* Inlets
    return WorkInlets.of({
      ...(yield* WorkInlets),
      open: (inlet) => Effect.sync(() => inlets.push(inlet))
    })
  })
).pipe(Layer.provideMerge(Layer.merge(stores, Inlets.layer)))

const inletsEngine = engineOver(inletsStore)

describe("A poll that waits", () => {
  test("gets what is created, begun, with the defaults of its params", function* () {
    const paramsSchema = { type: "object", properties: { copies: { type: "integer", default: 2 } } }
    const tenant = yield* makeTenant({ version: { paramsSchema } })
    const waiting = yield* parked(poll(yield* makeRunner(tenant), { isStarting: true, freeSlots: 3 }))

    const created = yield* makeExecution(tenant, { timeoutSeconds: 30 })

    const [claim] = (yield* Fiber.join(waiting)).claims
    assert.deepStrictEqual(claim?.params.value, { copies: 2 })
    assert.strictEqual(claim?.task.slug, tenant.task.slug)
    assert.deepStrictEqual(claim?.run.deadlineAt, second(30))
    assert.strictEqual(created.status, "queued")
    assert.strictEqual((yield* current(created)).status, "running")
  })

  test("gets it unbegun unless it starts its work", function* () {
    const tenant = yield* makeTenant()
    const waiting = yield* parked(poll(yield* makeRunner(tenant)))

    const created = yield* makeExecution(tenant)

    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [created.id])
    assert.strictEqual((yield* current(created)).status, "queued")
  })

  test("gets nothing once its client has gone, its key was revoked or its session is to drain", function* () {
    const tenant = yield* makeTenant()
    const gone = yield* parked(poll(yield* makeRunner(tenant, { instanceId: "gone" })))
    yield* Fiber.interrupt(gone)
    const drained = yield* makeRunner(tenant, { instanceId: "drained" })
    const draining = yield* parked(poll(drained))
    const { accountId } = tenant.caller
    yield* (yield* RunnerSessions).drain({ accountId, id: drained.sessionId })
    const { record } = yield* (yield* RunnerKeys).create({ accountId, name: "Cellar", agentIds: null })
    const revoked = yield* parked(poll(yield* makeRunner({ runnerKey: record })))
    yield* (yield* RunnerKeys).revoke(record)

    const { id } = yield* makeExecution(tenant)

    assert.deepStrictEqual(idsOf(yield* Fiber.join(draining)), [])
    assert.strictEqual((yield* Effect.flip(Fiber.join(revoked)))._tag, "Unauthorized")
    const fresh = yield* makeRunner(tenant, { instanceId: "fresh" })
    assert.deepStrictEqual(idsOf(yield* pollNow(fresh)), [id])
  })

  test("is given again what its client did not hear of, when it is repeated", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const asking = { claimId: "the same", isStarting: true }
    const waiting = yield* parked(poll(runner, asking))

    const { id } = yield* makeExecution(tenant)
    yield* Fiber.interrupt(waiting)

    assert.deepStrictEqual(idsOf(yield* pollNow(runner, asking)), [id])
  })

  test("takes none of what it does not serve, which waits for who does", function* () {
    const tenant = yield* makeTenant({ agent: { capacity: 1 } })
    const waiting = yield* Effect.forEach(["one", "two"], (instanceId) =>
      Effect.flatMap(makeRunner(tenant, { instanceId }), (runner) => parked(poll(runner)))
    )

    yield* makeExecution(tenant)
    yield* makeExecution(tenant)

    assert.deepStrictEqual(yield* Effect.forEach(waiting, isOver), [true, false])
  })

  it.effect("is answered at its end with what was kept for it, once it is known what became of that", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      yield* makeExecution(tenant)
      const { claims } = yield* pollNow(yield* makeRunner(tenant, { instanceId: "other" }))
      const { run } = claims[0] ?? assert.fail()
      const waiting = yield* parked(poll(yield* makeRunner(tenant)))
      const kept = (yield* Inlets).at(-1)?.reservePlace() ?? assert.fail()

      yield* (yield* Draining).begin
      const isAnsweredBefore = yield* isOver(waiting)
      kept.begin(unchanged(run))

      assert.isFalse(isAnsweredBefore)
      assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [run.execution.id])
    }).pipe(Effect.provide(inletsEngine))
  )
})

import { assert, describe, it } from "@effect/vitest"
import { RunnerKeys } from "@runhook/core/usecases/RunnerKeys"
import { RunnerSessions } from "@runhook/core/usecases/RunnerSessions"
import { Draining } from "@runhook/core/runtime/Draining"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { engine } from "./Engine.ts"
import { aRunner, idsOf, isOver, parked, poll, pollNow } from "./Runner.ts"
import { anExecution, aTenant, current, second } from "./Tenant.ts"

describe("A poll that waits", () => {
  it.effect("gets what is created, begun, with the defaults of its params", () =>
    Effect.gen(function* () {
      const paramsSchema = { type: "object", properties: { copies: { type: "integer", default: 2 } } }
      const tenant = yield* aTenant({ version: { paramsSchema } })
      const waiting = yield* parked(poll(yield* aRunner(tenant), { isStarting: true, freeSlots: 3 }))

      const created = yield* anExecution(tenant, { timeoutSeconds: 30 })

      const [claim] = (yield* Fiber.join(waiting)).claims
      assert.deepStrictEqual(claim?.params.value, { copies: 2 })
      assert.strictEqual(claim?.task.slug, tenant.task.slug)
      assert.deepStrictEqual(claim?.run.deadlineAt, second(30))
      assert.strictEqual(created.status, "queued")
      assert.strictEqual((yield* current(created)).status, "running")
    }).pipe(Effect.provide(engine))
  )

  it.effect("gets it unbegun unless it starts its work", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const waiting = yield* parked(poll(yield* aRunner(tenant)))

      const created = yield* anExecution(tenant)

      assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [created.id])
      assert.strictEqual((yield* current(created)).status, "queued")
    }).pipe(Effect.provide(engine))
  )

  it.effect("gets nothing once its client has gone, its key was revoked or its session is to drain", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const gone = yield* parked(poll(yield* aRunner(tenant, { instanceId: "gone" })))
      yield* Fiber.interrupt(gone)
      const drained = yield* aRunner(tenant, { instanceId: "drained" })
      const draining = yield* parked(poll(drained))
      const { accountId } = tenant.caller
      yield* (yield* RunnerSessions).drain({ accountId, id: drained.sessionId })
      const { record } = yield* (yield* RunnerKeys).create({ accountId, name: "Cellar", agentIds: null })
      const revoked = yield* parked(poll(yield* aRunner({ runnerKey: record })))
      yield* (yield* RunnerKeys).revoke(record)

      const { id } = yield* anExecution(tenant)

      assert.deepStrictEqual(idsOf(yield* Fiber.join(draining)), [])
      assert.strictEqual((yield* Effect.flip(Fiber.join(revoked)))._tag, "Unauthorized")
      const fresh = yield* aRunner(tenant, { instanceId: "fresh" })
      assert.deepStrictEqual(idsOf(yield* pollNow(fresh)), [id])
    }).pipe(Effect.provide(engine))
  )

  it.effect("takes none of what it does not serve, which waits for who does", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant({ agent: { capacity: 1 } })
      const waiting = yield* Effect.forEach(["one", "two"], (instanceId) =>
        Effect.flatMap(aRunner(tenant, { instanceId }), (runner) => parked(poll(runner)))
      )

      yield* anExecution(tenant)
      yield* anExecution(tenant)

      assert.deepStrictEqual(yield* Effect.forEach(waiting, isOver), [true, false])
    }).pipe(Effect.provide(engine))
  )

  it.effect("is answered with what came in the moment in which the service begins to stop", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const waiting = yield* parked(poll(yield* aRunner(tenant), { isStarting: true }))
      const draining = yield* Draining

      const [{ id }] = yield* Effect.all([anExecution(tenant), draining.begin])

      assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [id])
    }).pipe(Effect.provide(engine))
  )
})

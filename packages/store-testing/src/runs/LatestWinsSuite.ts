/** What every store cancels for an execution of which the latest wins. */
import { assert } from "@effect/vitest"
import type { Concurrency } from "@runhook/core/runs/seats/Concurrency"
import { atOnce } from "@runhook/core/executions/RetryBackoff"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { createInOrder } from "@runhook/core/executions/create/InOrder"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeExecution, makeTenant, newExecution, second, type Stores, unlimited } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { idsOf, lease, newQuestion, writeTo } from "./RunFixtures.ts"
import { claimed, given, settled, sharing, stopped } from "./SeatFixtures.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("SweepStore seats of the latest", { layer, name }, (it) => {
    it.test(
      "names what is in the way of one that cancels others, which goes before what is newer",
      function* () {
        const tenant = yield* makeTenant()
        const running = yield* makeExecution(tenant, sharing())
        yield* claimed(tenant, 1)
        const cancelling = yield* makeExecution(tenant, {
          ...sharing({ policy: "cancel_running" }),
          createdAt: second(2)
        })
        const patient = yield* makeExecution(tenant, { ...sharing(), priority: 9, createdAt: second(3) })
        const { inTheWay } = yield* given(4)
        // Until it has made room, also after the process that was to do so has died.
        const still = yield* given(6)
        yield* stopped(running, 7)

        const next = yield* claimed(tenant, 8)
        yield* stopped(cancelling, 9)
        const last = yield* claimed(tenant, 10)

        const named = [{ accountId: tenant.accountId, id: running.id, since: second(2) }]
        assert.deepStrictEqual([inTheWay, still.inTheWay], [named, named])
        assert.deepStrictEqual([next, last].map(idsOf), [[cancelling.id], [patient.id]])
      }
    )

    it.test("names the oldest at work, as many as are in the way of one that cancels others", function* () {
      const tenant = yield* makeTenant()
      const create = (fields: Partial<Concurrency>) => makeExecution(tenant, sharing(fields))
      const atWork = yield* Effect.replicateEffect(create({ limit: 3 }), 3)
      const claims = yield* claimed(tenant, 1)
      yield* create({ limit: 2, policy: "cancel_running" })

      const { inTheWay } = yield* given(2)

      const oldest = atWork.map(({ id }) => id).toSorted()
      assert.strictEqual(claims.length, 3)
      assert.sameMembers(
        inTheWay.map(({ id }) => id),
        oldest.slice(0, 2)
      )
    })

    it.test(
      "cancels what is older than one that cancels others, wherever it waits, and lets none of it work again",
      function* () {
        const store = yield* ExecutionStore
        const runs = yield* RunStore
        const tenant = yield* makeTenant({ capacity: 20 })
        const retryBackoff = { ...atOnce, initialSeconds: 60, maxSeconds: 60 }
        const retry = { ...sharing({ limit: 9 }), maxAttempts: 3, retryBackoff }
        const failing = yield* makeExecution(tenant, retry)
        const asking = yield* makeExecution(tenant, { ...sharing({ limit: 9 }), createdAt: second(1) })
        const claims = yield* claimed(tenant, 2)
        for (const { run } of claims) yield* runs.start({ ...writeTo(run, second(3)), lease })
        const outcome = { _tag: "Failed", message: "No paper", isRetryable: true } as const
        for (const { run } of claims) {
          const write = writeTo(run, second(4))
          if (run.execution.id === failing.id) yield* runs.finish({ ...write, outcome, fingerprint: "a" })
          else yield* runs.ask({ ...write, input: yield* newQuestion(second(4), { mode: "release" }) })
        }
        const held = yield* makeExecution(tenant, { ...sharing(), status: "pending", createdAt: second(5) })
        const later = yield* makeExecution(tenant, {
          ...sharing(),
          scheduledAt: second(70),
          createdAt: second(6)
        })
        const waiting = yield* makeExecution(tenant, { ...sharing({ limit: 9 }), createdAt: second(7) })
        const latest = yield* makeExecution(tenant, {
          ...sharing({ policy: "cancel_running" }),
          createdAt: second(8)
        })

        yield* settled(9)

        const older = [failing, asking, held, later, waiting]
        const ended = yield* Effect.forEach(older, ({ accountId, id }) => store.get(accountId, id))
        for (const each of ended)
          assert.deepInclude(each, { status: "cancelled", stoppedAt: latest.createdAt })
        assert.deepStrictEqual(idsOf(yield* claimed(tenant, 200)), [latest.id])
      }
    )

    it.test(
      "leaves the newest of what is older as far as the limit of one that cancels others has room",
      function* () {
        const tenant = yield* makeTenant()
        const fields = sharing({ limit: 3, policy: "cancel_running" })
        const all = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (at) =>
          makeExecution(tenant, {
            ...fields,
            createdAt: second(at),
            status: at === 4 ? "pending" : "queued",
            priority: at === 0 ? 9 : 0
          })
        )

        const cancelled = yield* settled(10)

        const ids = all.map(({ id }) => id)
        assert.sameMembers(cancelled, ids.slice(0, 3))
        assert.sameMembers([...idsOf(yield* claimed(tenant, 20))], [ids[3], ids[5]])
      }
    )

    it.test("ends with the last of several that were created at once, each before the next", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const fields = sharing({ policy: "cancel_running" })
      const all = yield* Effect.forEach([0, 1, 2, 3, 4], (at) =>
        newExecution(tenant, { ...fields, createdAt: second(at) })
      )
      yield* createInOrder(
        all.map((execution) => ({ isRefusable: false, create: store.create({ ...unlimited, execution }) }))
      )

      const cancelled = yield* settled(10)

      const ended = yield* Effect.forEach(all, ({ accountId, id }) => store.get(accountId, id))
      assert.sameMembers(
        cancelled,
        all.slice(0, 4).map(({ id }) => id)
      )
      assert.deepStrictEqual(
        ended.map(({ stoppedAt }) => stoppedAt),
        [1, 2, 3, 4, null].map((at) => at && second(at))
      )
      assert.deepStrictEqual(
        idsOf(yield* claimed(tenant, 20)),
        all.slice(4).map(({ id }) => id)
      )
    })

    it.test("ends what it cancels at its last change, if that was later", function* () {
      const store = yield* ExecutionStore
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const { accountId, id } = yield* makeExecution(tenant, sharing())
      const claims = yield* claimed(tenant, 1)
      yield* makeExecution(tenant, { ...sharing({ policy: "cancel_running" }), createdAt: second(2) })
      for (const { run } of claims) yield* runs.start({ ...writeTo(run, second(5)), lease })

      yield* settled(9)

      assert.deepStrictEqual((yield* store.get(accountId, id)).stoppedAt, second(5))
    })

    it.test("ends what it cancels when it falls due, be it long after its creation", function* () {
      const store = yield* ExecutionStore
      const cancelling = sharing({ policy: "cancel_running" })
      const [scheduling, holding] = [yield* makeTenant(), yield* makeTenant()]
      const { accountId } = holding
      const older = yield* Effect.forEach([scheduling, holding], (tenant) => makeExecution(tenant, sharing()))
      yield* makeExecution(scheduling, { ...cancelling, createdAt: second(2), scheduledAt: second(60) })
      const held = yield* makeExecution(holding, { ...cancelling, createdAt: second(2), status: "pending" })
      yield* store.release({ accountId, id: held.id, at: second(50) })

      yield* settled(70)

      const ended = yield* Effect.forEach(older, (each) => store.get(each.accountId, each.id))
      assert.deepStrictEqual(
        ended.map(({ stoppedAt }) => stoppedAt),
        [second(60), second(50)]
      )
    })

    it.test("leaves what is newer than one that cancels others, which waits for it", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { accountId } = tenant
      const held = yield* makeExecution(tenant, {
        ...sharing({ policy: "cancel_running" }),
        status: "pending"
      })
      const newer = yield* makeExecution(tenant, { ...sharing(), createdAt: second(1) })
      const first = yield* claimed(tenant, 2)
      yield* store.release({ accountId, id: held.id, at: second(3) })
      const cancelled = yield* settled(4)
      yield* stopped(newer, 5)

      const next = yield* claimed(tenant, 6)

      assert.deepStrictEqual([cancelled, idsOf(first), idsOf(next)], [[], [newer.id], [held.id]])
    })

    it.test("gives a seat that was made for one that cancels others to no other", function* () {
      const tenant = yield* makeTenant()
      const running = yield* makeExecution(tenant, sharing())
      yield* claimed(tenant, 1)
      const cancelling = yield* makeExecution(tenant, {
        ...sharing({ policy: "cancel_running" }),
        createdAt: second(2)
      })
      yield* makeExecution(tenant, { ...sharing(), priority: 9, createdAt: second(3) })
      yield* given(4)
      yield* stopped(running, 4)

      assert.deepStrictEqual(idsOf(yield* claimed(tenant, 4)), [cancelling.id])
    })
  })

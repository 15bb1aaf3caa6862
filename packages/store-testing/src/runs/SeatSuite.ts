/** How every store gives the seats of concurrency keys. */
import { assert } from "@effect/vitest"
import type { Execution } from "@runhook/core/executions/Execution"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAgent } from "../catalog/CatalogFixtures.ts"
import { makeExecution, makeTenant, newExecution, second, type Stores, unlimited } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { idsOf, lease, writeTo } from "./RunFixtures.ts"
import { claimed, given, sharing, stopped } from "./SeatFixtures.ts"

const seatsTaken = ({ accountId, id }: Execution) =>
  HistoryStore.use((store) => store.seatsTaken({ accountId, id }))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("SweepStore seats", { layer, name }, (it) => {
    it.test("lets no more of a key be claimed than its limit, and the next when one has ended", function* () {
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const other = { ...tenant, agentId: (yield* makeAgent(tenant.accountId, { capacity: 5 })).id }
      const made = yield* Effect.forEach([1, 2, 3], (at) =>
        makeExecution(at === 2 ? other : tenant, { ...sharing({ limit: 2 }), createdAt: second(at) })
      )
      const urgent = yield* makeExecution(tenant, { ...sharing({ limit: 2 }), priority: 9 })
      const free = yield* makeExecution(tenant)
      const elsewhere = yield* makeExecution(tenant, sharing({ key: "customer 43" }))

      const first = yield* claimed(tenant, 4)
      const none = yield* claimed(tenant, 5)
      const [begun] = first
      assert(begun)
      yield* runs.start({ ...writeTo(begun.run, second(6)), lease })
      const outcome = { _tag: "Completed", result: null } as const
      yield* runs.finish({ ...writeTo(begun.run, second(7)), outcome, fingerprint: "a" })
      const next = yield* claimed(tenant, 8)

      const ids: ReadonlyArray<string> = made.map(({ id }) => id)
      assert.sameMembers([...idsOf(first)], [urgent.id, free.id, elsewhere.id, ...ids.slice(0, 1)])
      assert.deepStrictEqual(idsOf(none), [])
      assert.deepStrictEqual(idsOf(next), ids.slice(1, 2))
    })

    it.test("gives nothing before it is due, and says when that is", function* () {
      const store = yield* SweepStore
      const tenant = yield* makeTenant()
      yield* given(0)
      const later = yield* makeExecution(tenant, { ...sharing(), scheduledAt: second(50) })
      const before = yield* claimed(tenant, 49)
      const nextAt = yield* store.nextSeatAt(second(49))

      const due = yield* claimed(tenant, 50)

      assert.deepStrictEqual([idsOf(before), idsOf(due)], [[], [later.id]])
      assert.deepStrictEqual(nextAt, second(50))
    })

    it.test("tells how many have seats, to what waits for one", function* () {
      const tenant = yield* makeTenant()
      const first = yield* makeExecution(tenant, sharing())
      const waiting = yield* makeExecution(tenant, { ...sharing(), createdAt: second(1) })
      yield* claimed(tenant, 2)

      const told = yield* Effect.forEach([first, waiting, yield* makeExecution(tenant)], seatsTaken)

      assert.deepStrictEqual(told, [null, 1, null])
    })

    it.test("takes the seat back with the lease, whatever ends that, and queues it again", function* () {
      const runs = yield* RunStore
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const one = yield* makeExecution(tenant, { ...sharing(), priority: 1 })
      const [first] = yield* claimed(tenant, 1)
      assert(first)
      const other = yield* makeExecution(tenant, { ...sharing(), priority: 2, createdAt: second(1) })
      const delay = Duration.seconds(20)
      yield* runs.giveBack({ ...writeTo(first.run, second(2)), delay })

      const [second_] = yield* claimed(tenant, 3)
      const held = yield* claimed(tenant, 30)
      yield* sweeps.expireLeases({ at: second(100), limit: 100 })
      const again = yield* claimed(tenant, 100)
      yield* stopped(other, 101)
      const last = yield* claimed(tenant, 102)

      assert.strictEqual(second_?.run.execution.id, other.id)
      assert.deepStrictEqual([held, again, last].map(idsOf), [[], [other.id], [one.id]])
    })

    it.test("lets what waits be stopped, held and moved in time like any other", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const held = yield* makeExecution(tenant, { ...sharing(), status: "pending" })
      const first = yield* makeExecution(tenant, { ...sharing(), createdAt: second(1) })
      const waiting = yield* makeExecution(tenant, { ...sharing(), createdAt: second(2) })
      const moved = yield* makeExecution(tenant, { ...sharing(), createdAt: second(3) })
      yield* given(4)
      const { accountId } = tenant
      const change = { scheduledAt: second(60) }
      // One has a seat and was not claimed, the other waits for it.
      yield* store.reschedule({ accountId, id: first.id, change, at: second(5) })
      yield* store.reschedule({ accountId, id: moved.id, change: { priority: 5 }, at: second(5) })
      const [seated] = yield* claimed(tenant, 6)
      yield* stopped(moved, 7)
      yield* store.release({ accountId, id: held.id, at: second(8) })
      yield* stopped(waiting, 9)

      const rest = yield* claimed(tenant, 10)
      yield* stopped(held, 11)
      const last = yield* claimed(tenant, 60)

      assert.strictEqual(seated?.run.execution.id, moved.id)
      assert.deepStrictEqual([rest, last].map(idsOf), [[held.id], [first.id]])
    })

    it.test("counts nothing of another account or key, and goes by the limit of each", function* () {
      const [tenant, stranger] = [yield* makeTenant(), yield* makeTenant()]
      yield* makeExecution(stranger, sharing())
      const narrow = yield* makeExecution(tenant, sharing({ limit: 1 }))
      const wide = yield* makeExecution(tenant, { ...sharing({ limit: 3 }), createdAt: second(1) })
      const wider = yield* makeExecution(tenant, { ...sharing({ limit: 3 }), createdAt: second(2) })
      const blocked = yield* makeExecution(tenant, { ...sharing({ limit: 3 }), createdAt: second(3) })

      const claims = yield* claimed(tenant, 4)

      assert.deepStrictEqual(idsOf(claims), [narrow.id, wide.id, wider.id])
      assert.strictEqual(yield* seatsTaken(blocked), 3)
    })

    it.test("refuses what is not to wait, while others have or await all seats", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const create = Effect.fnUntraced(function* (at: number) {
        const fields = { ...sharing({ limit: 2, policy: "reject" }), createdAt: second(at) }
        return yield* store.create({ ...unlimited, execution: yield* newExecution(tenant, fields) })
      })
      const made = yield* Effect.all(
        [1, 1, 1, 1].map((at) => Effect.exit(create(at))),
        { concurrency: "unbounded" }
      )
      const [refusal] = yield* Effect.all([Effect.flip(create(2))])
      const [first] = yield* claimed(tenant, 3)
      assert(first)
      yield* stopped(first.run.execution, 4)

      const after = yield* create(5)

      assert.deepStrictEqual(made.map(({ _tag }) => _tag).toSorted(), [
        "Failure",
        "Failure",
        "Success",
        "Success"
      ])
      assert.deepInclude(refusal, { _tag: "NoSeatLeft", limit: 2, current: 2 })
      assert.strictEqual(after.isDuplicate, false)
    })

    it.test(
      "answers a repeated create that is not to wait with the first one, which has the last seat",
      function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const idempotency = { key: "order 7", fingerprint: "a", expiresAt: second(100) }
        const create = Effect.fnUntraced(function* () {
          const fields = { ...sharing({ policy: "reject" }), createdAt: second(1) }
          return yield* store.create({
            ...unlimited,
            idempotency,
            execution: yield* newExecution(tenant, fields)
          })
        })

        const answers = yield* Effect.all([create(), create(), create()], { concurrency: "unbounded" })

        assert.lengthOf(new Set(answers.map(({ change }) => change.run.execution.id)), 1)
        assert.deepStrictEqual(answers.map(({ isDuplicate }) => isDuplicate).toSorted(), [false, true, true])
      }
    )

    it.test("refuses nothing for the sake of what is deferred", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      yield* makeExecution(tenant, { ...sharing(), scheduledAt: second(100), createdAt: second(1) })
      const impatient = yield* newExecution(tenant, {
        ...sharing({ policy: "reject" }),
        createdAt: second(2)
      })

      const { isDuplicate } = yield* store.create({ ...unlimited, execution: impatient })

      assert.isFalse(isDuplicate)
      assert.deepStrictEqual(idsOf(yield* claimed(tenant, 3)), [impatient.id])
    })
  })

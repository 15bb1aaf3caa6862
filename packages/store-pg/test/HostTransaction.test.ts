/** Executions that are created in a transaction of the host, by our driver and by another one. */
import { assert, describe, it } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import {
  anyExecution,
  callbackUrl,
  eventsOf,
  makeTenant,
  newExecution,
  second,
  type Tenant,
  unlimited
} from "@runhook/store-testing/Fixtures"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { hosts, stores } from "./Hosts.ts"
import { brokenRules } from "./Invariants.ts"

const idempotency = { key: "order-1", fingerprint: "same", expiresAt: second(1_000) }

/** The executions of a tenant that can be seen. */
const storedOf = Effect.fnUntraced(function* ({ accountId }: Tenant) {
  const store = yield* ExecutionStore
  const { items } = yield* store.list(accountId, anyExecution, { after: null, limit: 10 })
  return items.map(({ id }) => id)
})

describe.each(hosts)("A transaction of the host, $by", ({ inTransaction, place }) => {
  it.layer(stores(place))((it) => {
    it.effect("leaves nothing behind when it is rolled back", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const execution = yield* newExecution(tenant, { callbackUrl, scheduledAt: second(5) })
        const limits = { accountMaxLive: 1, keyMaxLive: 1 }

        const exit = yield* Effect.exit(
          inTransaction(
            Effect.andThen(store.create({ execution, idempotency, ...limits }), Effect.fail("No stock"))
          )
        )

        assert.deepStrictEqual(exit, Exit.fail("No stock"))
        assert.deepStrictEqual([yield* storedOf(tenant), yield* eventsOf(execution)], [[], []])
        const later = yield* newExecution(tenant)
        const { isDuplicate } = yield* store.create({ execution: later, idempotency, ...limits })
        assert.isFalse(isDuplicate)
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("commits the execution with its callback, and shows nothing before", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const execution = yield* newExecution(tenant, { callbackUrl })
        const committed = yield* Effect.context<ExecutionStore>()

        const before = yield* inTransaction(
          Effect.andThen(
            store.create({ ...unlimited, execution }),
            Effect.updateContext(storedOf(tenant), (_inside: Context.Context<never>) => committed)
          )
        )

        assert.deepStrictEqual([before, yield* storedOf(tenant)], [[], [execution.id]])
        assert.deepStrictEqual(yield* eventsOf(execution), ["execution.queued"])
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("finds what an equal create made in it before", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const execution = yield* newExecution(tenant)
        const again = yield* newExecution(tenant)

        const replay = yield* inTransaction(
          Effect.andThen(
            store.create({ ...unlimited, execution, idempotency }),
            store.create({ ...unlimited, execution: again, idempotency })
          )
        )

        assert.isTrue(replay.isDuplicate)
        assert.strictEqual(replay.change.run.execution.id, execution.id)
        assert.deepStrictEqual(yield* storedOf(tenant), [execution.id])
      })
    )

    it.effect("may go on after a create that was refused or that the database cannot store", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const limits = { idempotency: null, accountMaxLive: 1, keyMaxLive: null }
        const [broken, kept, refused] = yield* Effect.all([
          newExecution(tenant, { reference: "not \u0000 storable" }),
          newExecution(tenant),
          newExecution(tenant)
        ])

        const exits = yield* inTransaction(
          Effect.forEach([broken, kept, refused], (execution) =>
            Effect.exit(store.create({ ...limits, execution }))
          )
        )

        assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, false])
        assert.deepStrictEqual(yield* storedOf(tenant), [kept.id])
      })
    )

    it.effect("refuses what is not to wait for a seat, and counts what was created in it before", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const alone = { concurrency: { key: "one", limit: 1, policy: "reject" } } as const
        const [kept, refused] = yield* Effect.all([newExecution(tenant, alone), newExecution(tenant, alone)])

        const exits = yield* inTransaction(
          Effect.forEach([kept, refused], (execution) =>
            Effect.exit(store.create({ ...unlimited, execution }))
          )
        )

        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false])
        assert.deepStrictEqual(yield* storedOf(tenant), [kept.id])
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )
  })
})

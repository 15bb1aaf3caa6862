/**
 * Which executions every SweepStore prunes. It sees all accounts, so no other
 * suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import type { Execution } from "@runhook/core/executions/Execution"
import { retentionDefault } from "@runhook/core/sweeps/Retention"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import {
  anyExecution,
  deliveriesOf,
  makeExecution,
  makeTenant,
  plenty,
  second,
  type Stores,
  type Tenant
} from "../Fixtures.ts"
import { makeEndedExecution, settleCallbacks } from "../executions/EndedFixtures.ts"
import { makeStartedRun } from "../runs/RunFixtures.ts"
import type { SuiteOptions } from "../Suite.ts"
import { addAll, makeSum, sumsOf } from "../usage/UsageFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** So many days after what ends at second 5. */
const day = (days: number) => DateTime.add(second(5), { days })

const justBefore = (instant: DateTime.Utc) => DateTime.subtract(instant, { milliseconds: 1 })

/** More walks than any test needs. */
const turnsMax = 1_000

/** Walks over all accounts; answers how many executions were pruned. */
const walk = Effect.fnUntraced(function* (
  at: DateTime.Utc,
  { executions, limit = 100 }: { readonly executions?: Duration.Duration; readonly limit?: number } = {}
) {
  const sweeps = yield* SweepStore
  let count = 0
  for (let turn = 0; turn < turnsMax; turn++) {
    const round = { retention: { ...retentionDefault, executions }, at, limit }
    const { hasMore, pruned } = yield* sweeps.prune("executions", round)
    assert.isAtMost(pruned, limit)
    count += pruned
    if (!hasMore) return count
  }
  return yield* Effect.die(new Error(`The walk was not over after ${turnsMax} turns`))
})

/** Keeps executions for 30 days after their end, unless told otherwise. */
const makeKeeper = Effect.fnUntraced(function* (retentionDays: number | null = 30) {
  const tenant = yield* makeTenant()
  yield* AccountStore.use((store) => store.update({ id: tenant.accountId, change: { retentionDays } }))
  return tenant
})

const severalEnded = Effect.fnUntraced(function* (tenant: Tenant, count: number) {
  const ended = yield* Effect.replicateEffect(makeEndedExecution(tenant), count)
  yield* settleCallbacks(tenant, "Delivered")
  return ended
})

const idsOf = ({ accountId }: Tenant) =>
  ExecutionStore.use((store) => store.list(accountId, anyExecution, { limit: 100, after: null })).pipe(
    Effect.map(({ items }) => items.map(({ id }) => id))
  )

const idOf = ({ id }: Execution) => id

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("SweepStore prunes executions", { layer, name }, (it) => {
    it.test(
      "removes all of an execution when its time is over, but for its files and what was counted",
      function* () {
        const sweeps = yield* SweepStore
        const tenant = yield* makeKeeper()
        const { accountId } = tenant
        yield* addAll({ sums: [makeSum(accountId, { completed: 1 })] })
        const [execution] = yield* severalEnded(tenant, 1)
        const callbacks = execution === undefined ? [] : yield* deliveriesOf(execution)
        const ids = [execution?.id ?? "", ...callbacks.map(({ id }) => id)]
        const told = Effect.map(storedRows(accountId), (rows) =>
          ids.filter((id) => JSON.stringify(rows).includes(id))
        )
        yield* walk(justBefore(day(30)))
        const before = yield* told

        const count = yield* walk(day(30))

        const files = yield* sweeps.leftOvers(plenty)
        yield* sweeps.dropLeftOvers(files.filter((file) => file.accountId === accountId))
        assert.deepStrictEqual(before, ids)
        assert.deepStrictEqual([ids.length, count], [4, 1])
        assert.deepStrictEqual(yield* told, [])
        assert.strictEqual((yield* sumsOf(accountId)).length, 1)
      }
    )

    it.test("keeps all where nobody says for how long", function* () {
      const tenant = yield* makeKeeper(null)
      const ended = yield* severalEnded(tenant, 1)

      yield* walk(day(10_000))

      assert.deepStrictEqual(yield* idsOf(tenant), ended.map(idOf))
    })

    it.test("goes by what an account says, and for all others by what the service does", function* () {
      const [brief, usual, long] = [yield* makeKeeper(7), yield* makeKeeper(null), yield* makeKeeper(365)]
      const ended = yield* Effect.forEach([brief, usual, long], (tenant) => severalEnded(tenant, 1))
      const left = Effect.forEach([brief, usual, long], idsOf)
      const [, ofUsual, ofLong] = ended.map((each) => each.map(idOf))
      const executions = Duration.days(30)
      yield* walk(day(7), { executions })
      const first = yield* left

      yield* walk(day(30), { executions })

      assert.deepStrictEqual(first, [[], ofUsual, ofLong])
      assert.deepStrictEqual(yield* left, [[], [], ofLong])
    })

    it.test("keeps what has not ended, or has a callback to come, however old it is", function* () {
      const tenant = yield* makeKeeper()
      const { execution: running } = (yield* makeStartedRun(tenant)).run
      const { id: waiting } = yield* makeEndedExecution(tenant)
      const { id: queued } = yield* makeExecution(tenant)

      yield* walk(day(10_000))

      assert.sameMembers([...(yield* idsOf(tenant))], [running.id, waiting, queued])
    })

    it.test("keeps what has a dead letter, which may be replayed, as long as that", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeKeeper()
      const { id } = yield* makeEndedExecution(tenant)
      yield* settleCallbacks(tenant, "Dead")
      yield* walk(day(60))
      const before = yield* idsOf(tenant)
      const round = { at: day(91), limit: plenty }
      yield* Effect.repeat(sweeps.prune("deliveries", round), {
        while: ({ hasMore }) => hasMore,
        times: turnsMax
      })

      yield* walk(day(91))

      assert.deepStrictEqual(before, [id])
      assert.deepStrictEqual(yield* idsOf(tenant), [])
    })

    it.test("goes by the end of an execution, not by its creation", function* () {
      const tenant = yield* makeKeeper()
      const { id } = yield* makeEndedExecution(tenant, {
        createdAt: DateTime.subtract(second(0), { days: 3 })
      })
      yield* settleCallbacks(tenant, "Delivered")

      yield* walk(justBefore(day(30)))

      assert.deepStrictEqual(yield* idsOf(tenant), [id])
    })

    it.test("removes all of all accounts, in bites, past what stays", function* () {
      yield* walk(day(10_000))
      const tenants = yield* Effect.replicateEffect(makeKeeper(), 3)
      const stay = yield* Effect.forEach(tenants, (tenant) => makeExecution(tenant, { status: "pending" }))
      for (const tenant of tenants) yield* severalEnded(tenant, 5)

      const count = yield* walk(day(31), { limit: 2 })

      assert.strictEqual(count, 15)
      assert.deepStrictEqual((yield* Effect.forEach(tenants, idsOf)).flat(), stay.map(idOf))
    })

    it.test("removes each once, whoever else prunes at the same time", function* () {
      yield* walk(day(10_000))
      const tenant = yield* makeKeeper()
      yield* severalEnded(tenant, 12)

      const counts = yield* Effect.replicateEffect(walk(day(31), { limit: 3 }), 4, {
        concurrency: "unbounded"
      })
      const rest = yield* walk(day(31))

      assert.strictEqual(
        counts.reduce((sum, count) => sum + count, rest),
        12
      )
      assert.deepStrictEqual(yield* idsOf(tenant), [])
    })
  })

/**
 * Which entries of the audit log every SweepStore forgets. It sees all
 * accounts, so no other suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { agentCreated } from "@runhook/core/audit/CatalogEvents"
import { type AccountId, instantOf } from "@runhook/core/shared/Ids"
import { auditKept, type Retention } from "@runhook/core/sweeps/Retention"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeAccount, makeAgent } from "../catalog/CatalogFixtures.ts"
import type { Stores } from "../Fixtures.ts"
import { entriesOf, record } from "./AuditFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const retention: Retention = { delivered: Duration.days(1), dead: Duration.days(1), audit: Duration.days(30) }

/** An entry that tells of a new agent. */
const recordAgent = Effect.fnUntraced(function* (accountId: AccountId) {
  yield* record(agentCreated(yield* makeAgent(accountId)))
})

/** More rounds than any test needs. */
const roundsMax = 1_000

/** Forgets until nothing is left to forget; answers how many were pruned. */
const pruneAll = Effect.fnUntraced(function* (at: DateTime.Utc, kept = retention, limit = 100) {
  const sweeps = yield* SweepStore
  let count = 0
  for (let round = 0; round < roundsMax; round++) {
    const { pruned, hasMore } = yield* sweeps.prune("audit", { retention: kept, at, limit })
    assert.isAtMost(pruned, limit)
    count += pruned
    if (!hasMore) return count
  }
  return yield* Effect.die(new Error(`Something was left after ${roundsMax} rounds`))
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("SweepStore prunes the audit log", { layer, name }, (it) => {
    it.test("forgets an entry when its time has come, and not before", function* () {
      const { id: accountId } = yield* makeAccount()
      yield* TestClock.adjust("1 second")
      yield* recordAgent(accountId)
      const [agent] = yield* entriesOf(accountId)
      const end = DateTime.addDuration(instantOf(agent?.id ?? ""), Duration.days(30))

      yield* pruneAll(DateTime.subtract(end, { milliseconds: 1 }))
      const kept = yield* entriesOf(accountId)
      yield* pruneAll(end)

      assert.deepStrictEqual(kept, agent === undefined ? [] : [agent])
      assert.deepStrictEqual(yield* entriesOf(accountId), [])
    })

    it.test("forgets those of every account, a few at a time", function* () {
      yield* pruneAll(DateTime.add(yield* DateTime.now, { days: 40 }))
      const accounts = yield* Effect.all([makeAccount(), makeAccount()])
      for (const { id } of accounts) yield* Effect.replicateEffect(recordAgent(id), 5)

      const count = yield* pruneAll(DateTime.add(yield* DateTime.now, { days: 40 }), retention, 3)

      assert.strictEqual(count, 10)
      assert.deepStrictEqual(yield* Effect.forEach(accounts, ({ id }) => entriesOf(id)), [[], []])
    })

    it.test("keeps entries for 400 days when nothing is said of them", function* () {
      const { id: accountId } = yield* makeAccount()
      yield* recordAgent(accountId)
      const [entry] = yield* entriesOf(accountId)
      const end = DateTime.addDuration(instantOf(entry?.id ?? ""), auditKept)
      const { audit: _, ...unsaid } = retention

      yield* pruneAll(DateTime.subtract(end, { milliseconds: 1 }), unsaid)
      const kept = yield* entriesOf(accountId)
      yield* pruneAll(end, unsaid)

      assert.strictEqual(Duration.toDays(auditKept), 400)
      assert.deepStrictEqual(kept, entry === undefined ? [] : [entry])
      assert.deepStrictEqual(yield* entriesOf(accountId), [])
    })
  })

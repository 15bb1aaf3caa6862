/** What a process counts of what it does, over a whole engine. */
import { assert, describe } from "@effect/vitest"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { type AccountId, ApiKeyId, EventId, newId } from "@runhook/core/shared/Ids"
import type { Counts } from "@runhook/core/usage/UsageCounts"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import type { UsageIncrement } from "@runhook/core/usage/UsageIncrement"
import { UsageStore } from "@runhook/core/usage/UsageStore"
import { UsageCounter } from "@runhook/core/usage/UsageCounter"
import { Executions } from "@runhook/core/executions/Executions"
import { Usage } from "@runhook/core/usage/Usage"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { test } from "@runhook/test-support/engine/Test"
import { makeExecution, makeTenant, type Tenant } from "@runhook/test-support/engine/Tenant"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"

/** A store that takes note of what is added, and fails so the first so many times. */
const makeStore = (failures = 0, failure: Error = new StoreUnavailable({ reason: "it starts" })) => {
  const away = new Set<AccountId>()
  const added: Array<UsageIncrement> = []
  const meanwhile: Array<() => void> = []
  let tries = 0
  const store = Effect.map(UsageStore, (inner) =>
    UsageStore.of({
      ...inner,
      add: (counted) =>
        Effect.suspend(() => {
          tries += 1
          meanwhile.shift()?.()
          if (tries <= failures) return Effect.die(failure)
          added.push(counted)
          return Effect.succeed(away)
        })
    })
  )
  return {
    added,
    /** What else the process does while the store is asked, a turn each. */
    meanwhile,
    /** The accounts whose part of it is away. */
    away,
    layer: Layer.fresh(UsageCounter.layer).pipe(Layer.provide(Layer.effect(UsageStore, store)))
  }
}

const keyOf = ({ caller }: Tenant) => ({ accountId: caller.accountId, id: caller.id })

const requestsIn = ({ sums }: UsageIncrement) =>
  sums
    .filter(({ subject, span }) => subject.kind === "account" && span === "hour")
    .map(({ counts }) => counts.requests)

/** What was counted of the tenant's account in the hours of the test, once it is stored. */
const countsOf = Effect.fnUntraced(function* ({ caller }: Tenant) {
  yield* TestClock.adjust("1 second")
  const usage = yield* Usage
  const question = { by: "hour", group: "none", apiKeyId: null, taskId: null, from: null, to: null } as const
  const { totals } = yield* usage.counted({ ...question, accountId: caller.accountId })
  const counts: Partial<Counts> = totals[0]?.counts ?? {}
  return counts
})

/** A delivery of the tenant, and an attempt of it that failed. */
const makeAttempt = Effect.fnUntraced(function* ({ caller }: Tenant) {
  const at = yield* DateTime.now
  const delivery = newDelivery(
    {
      id: yield* newId(EventId),
      accountId: caller.accountId,
      apiKeyId: caller.id,
      executionId: null,
      revision: null,
      type: "webhook.test",
      url: "https://hooks.example.com/a?b=c",
      requestId: "req_1",
      reference: null,
      body: "{}"
    },
    at
  )
  const attempt = attemptOf({ ...delivery, attempts: 1 }, { startedAt: at, durationMs: 40 })
  return { delivery, attempt }
})

describe("UsageCounter", () => {
  test("counts executions that are made and stopped, each change once", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const { accountId, id } = yield* makeExecution(tenant)
    yield* makeExecution(tenant)
    const stop = executions.stop({ accountId, id, to: "aborted", reason: null })
    yield* stop
    yield* stop

    const counts = yield* countsOf(tenant)

    assert.deepInclude(counts, { created: 2, aborted: 1, neverStarted: 1, started: 0, completed: 0 })
  })

  test("adds up what happens within a second, and stores it once", function* () {
    const { added, layer } = makeStore()
    const counter = Context.get(yield* Layer.build(layer), UsageCounter)
    const tenant = yield* makeTenant()
    const at = yield* DateTime.now
    for (let use = 0; use < 5; use++) counter.keyUsed(keyOf(tenant), "203.0.113.7", at)

    yield* TestClock.adjust("999 millis")
    const before = added.length
    yield* TestClock.adjust("1 hour")

    assert.strictEqual(before, 0)
    assert.deepStrictEqual(added.map(requestsIn), [[5]])
    const { accountId, id: apiKeyId } = keyOf(tenant)
    assert.deepStrictEqual(added[0]?.keyUses, [{ accountId, apiKeyId, at, from: "203.0.113.7" }])
  })

  test("stores what is left when the process stops", function* () {
    const { added, layer } = makeStore()
    const scope = yield* Scope.make()
    const counter = Context.get(yield* Layer.buildWithScope(layer, scope), UsageCounter)
    const tenant = yield* makeTenant()
    counter.keyUsed(keyOf(tenant), null, yield* DateTime.now)

    yield* Scope.close(scope, Exit.void)

    assert.deepStrictEqual(added.map(requestsIn), [[1]])
  })

  test("keeps what a store that is away could not take, with what comes meanwhile", function* () {
    const { added, layer } = makeStore(2)
    const counter = Context.get(yield* Layer.build(layer), UsageCounter)
    const tenant = yield* makeTenant()
    const at = yield* DateTime.now
    counter.keyUsed(keyOf(tenant), null, at)
    yield* TestClock.adjust("1 second")
    counter.keyUsed(keyOf(tenant), "203.0.113.7", at)

    yield* TestClock.adjust("1 second")
    yield* TestClock.adjust("1 second")

    assert.deepStrictEqual(added.map(requestsIn), [[2]])
    assert.strictEqual(added[0]?.keyUses[0]?.from, "203.0.113.7")
  })

  test("adds what it counted while the store failed to what the store did not take", function* () {
    const { added, layer, meanwhile } = makeStore(1)
    const counter = Context.get(yield* Layer.build(layer), UsageCounter)
    const tenant = yield* makeTenant()
    const at = yield* DateTime.now
    const { attempt, delivery } = yield* makeAttempt(tenant)
    const { accountId } = tenant.caller
    const counts = () => {
      counter.keyUsed(keyOf(tenant), null, at)
      counter.attempted(delivery, { accountId, attempt, verdict: { _tag: "Dead" } })
    }
    meanwhile.push(counts)
    counts()

    yield* TestClock.adjust("1 second")
    yield* TestClock.adjust("1 second")

    assert.deepStrictEqual(added.map(requestsIn), [[2]])
    assert.deepStrictEqual(
      added.map(({ receivers }) => receivers.map(({ failed }) => failed)),
      [[2]]
    )
    assert.deepStrictEqual(
      added[0]?.lastAttempts.map(({ lastFailure }) => lastFailure?.cause),
      ["server_error"]
    )
  })

  test("keeps the counts of accounts whose part of the store is away, and no others", function* () {
    const { added, away, layer } = makeStore()
    const counter = Context.get(yield* Layer.build(layer), UsageCounter)
    const [lost, other] = [yield* makeTenant(), yield* makeTenant()]
    const at = yield* DateTime.now
    away.add(lost.caller.accountId)
    counter.keyUsed(keyOf(lost), null, at)
    counter.keyUsed(keyOf(other), null, at)
    yield* TestClock.adjust("1 second")

    away.clear()
    yield* TestClock.adjust("1 second")
    yield* TestClock.adjust("1 second")

    const accounts = added.map(({ keyUses }) => keyUses.map(({ accountId }) => accountId))
    const [lostId, otherId] = [lost.caller.accountId, other.caller.accountId]
    assert.deepStrictEqual(accounts, [[lostId, otherId], [lostId]])
    assert.deepStrictEqual(added.map(requestsIn), [[1, 1], [1]])
  })

  test("gives up for good what the store refuses, and stores what comes after it", function* () {
    const { added, layer } = makeStore(1, new Error("a bad byte"))
    const counter = Context.get(yield* Layer.build(layer), UsageCounter)
    const tenant = yield* makeTenant()
    const at = yield* DateTime.now
    counter.keyUsed(keyOf(tenant), null, at)
    counter.keyUsed(keyOf(tenant), null, at)
    yield* TestClock.adjust("1 second")

    counter.keyUsed(keyOf(tenant), null, at)
    yield* TestClock.adjust("1 second")

    assert.deepStrictEqual(added.map(requestsIn), [[1]])
  })

  test("has an end to what it keeps: of what is new too late nothing is counted", function* () {
    const { added, layer } = makeStore()
    const counter = Context.get(yield* Layer.build(layer), UsageCounter)
    const tenant = yield* makeTenant()
    const at = yield* DateTime.now
    const key = keyOf(tenant)
    counter.keyUsed(key, null, at)
    for (let count = 0; count < 20_100; count++) {
      counter.keyUsed(
        { ...key, id: ApiKeyId.make(`00000000-0000-0000-0000-${`${count}`.padStart(12, "0")}`) },
        null,
        at
      )
    }
    counter.keyUsed(key, null, at)

    yield* TestClock.adjust("1 second")

    assert.deepStrictEqual(added.map(requestsIn), [[20_001]])
    assert.lengthOf(added[0]?.keyUses ?? [], 20_000)
  })

  test("counts attempts at receivers, and what became of the callbacks", function* () {
    const { added, layer } = makeStore()
    const counter = Context.get(yield* Layer.build(layer), UsageCounter)
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const at = yield* DateTime.now
    const { attempt, delivery } = yield* makeAttempt(tenant)
    counter.attempted(delivery, { accountId, attempt, verdict: { _tag: "Retry", nextAttemptAt: at } })
    counter.attempted(delivery, { accountId, attempt, verdict: { _tag: "Dead" } })
    counter.attempted(delivery, {
      accountId,
      attempt: { ...attempt, status: 200, cause: null },
      verdict: { _tag: "Delivered" }
    })

    yield* TestClock.adjust("1 second")

    const origin = "https://hooks.example.com"
    const ended = DateTime.add(at, { milliseconds: 40 })
    const counts = added[0]?.sums.find(({ subject }) => subject.kind === "account")?.counts
    assert.deepInclude(counts, { delivered: 1, failedAttempts: 2, dead: 1 })
    assert.deepInclude(added[0]?.receivers[0], { origin, delivered: 1, failed: 2 })
    assert.deepInclude(added[0]?.lastAttempts[0], { origin, lastSuccessAt: ended })
    assert.deepInclude(added[0]?.lastAttempts[0]?.lastFailure, {
      at: ended,
      cause: "server_error",
      status: 503
    })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { allDead, type ReplayJob } from "@runhook/core/replays/ReplayJob"
import { EventId, newId } from "@runhook/core/shared/Ids"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ReplayStore } from "@runhook/core/replays/ReplayStore"
import { Signals } from "@runhook/core/signals/Signals"
import { batchMax, Replays } from "@runhook/core/replays/Replays"
import { anyDelivery } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { adapters, stores, useCases } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { parked } from "@runhook/test-support/engine/Runner"
import { makeTenant, type Tenant } from "@runhook/test-support/engine/Tenant"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"

/** A tenant with that many dead deliveries: they came to their end before anybody sent them. */
const makeTenantWithDead = Effect.fnUntraced(function* (count: number) {
  const [at, store] = [yield* DateTime.now, yield* DeliveryStore]
  const tenant = yield* makeTenant()
  const { accountId, id: apiKeyId } = tenant.caller
  const origin = { executionId: null, revision: null, type: "webhook.test", reference: null } as const
  for (const id of yield* Effect.replicateEffect(newId(EventId), count)) {
    const sent = { id, url: "https://hooks.example.com/in", requestId: "req_test", body: "{}" }
    yield* store.enqueue({ ...newDelivery({ accountId, apiKeyId, ...origin, ...sent }, at), expiresAt: at })
  }
  yield* store.claimDue({ room: roomFor(count), lease: Duration.seconds(45), at })
  return tenant
})

const makeJob = ({ caller }: Tenant) => Replays.use((replays) => replays.begin(caller.accountId, allDead))

const current = ({ accountId, id }: ReplayJob) =>
  Replays.use((replays) => replays.get({ accountId, apiKeyId: null, id }))

const deliveriesOf = ({ caller }: Tenant) =>
  DeliveryStore.use((store) =>
    store.list(caller.accountId, anyDelivery, { after: null, limit: 2 * batchMax })
  ).pipe(Effect.map(({ items }) => items))

const pendingOf = (tenant: Tenant) =>
  Effect.map(deliveriesOf(tenant), (items) => items.filter(({ state }) => state === "pending").length)

/** A store whose next batch fails. */
const failingOnce = Layer.effect(
  ReplayStore,
  Effect.gen(function* () {
    const store = yield* ReplayStore
    let failures = 1
    return ReplayStore.of({
      ...store,
      advance: (...asked) =>
        Effect.suspend(() =>
          failures-- > 0 ? Effect.die(new Error("the database is away")) : store.advance(...asked)
        )
    })
  })
)

const engineFailingOnce = useCases.pipe(
  Layer.provideMerge(failingOnce),
  Layer.provideMerge(adapters),
  Layer.provideMerge(stores)
)

describe("Replays.layerLoop", () => {
  test("replays what is dead, as soon as a job begins, and wakes the dispatcher", function* () {
    const tenant = yield* makeTenantWithDead(3)
    yield* Layer.build(Replays.layerLoop)
    yield* TestClock.adjust("1 millis")
    const signal = yield* parked(yield* (yield* Signals).subscribe(["deliveries"]))

    const job = yield* makeJob(tenant)

    yield* Fiber.join(signal)
    assert.deepInclude(yield* current(job), { status: "completed", replayed: 3 })
    assert.strictEqual(yield* pendingOf(tenant), 3)
  })

  test("takes one batch in a tenth of a second, and tells how far it came", function* () {
    const tenant = yield* makeTenantWithDead(batchMax + 1)
    const job = yield* makeJob(tenant)
    yield* Layer.build(Replays.layerLoop)

    yield* TestClock.adjust("99 millis")
    const before = yield* current(job)
    yield* TestClock.adjust("1 millis")

    assert.deepInclude(before, { status: "running", replayed: batchMax })
    assert.deepInclude(yield* current(job), { status: "completed", replayed: batchMax + 1 })
  })

  test("stops after the batch under way when the job is cancelled", function* () {
    const tenant = yield* makeTenantWithDead(batchMax + 1)
    const job = yield* makeJob(tenant)
    yield* Layer.build(Replays.layerLoop)
    yield* TestClock.adjust("50 millis")

    const cancelled = yield* (yield* Replays).cancel({ ...job, apiKeyId: null })
    yield* TestClock.adjust("1 minute")

    assert.deepInclude(cancelled, { status: "cancelled", replayed: batchMax })
    assert.deepStrictEqual(yield* current(job), cancelled)
    assert.strictEqual(yield* pendingOf(tenant), batchMax)
  })

  test("goes on where a process that was ended had come to, and doubles nothing", function* () {
    const tenant = yield* makeTenantWithDead(batchMax + 1)
    const job = yield* makeJob(tenant)
    const first = yield* Scope.make()
    yield* Layer.buildWithScope(Layer.fresh(Replays.layerLoop), first)
    yield* TestClock.adjust("50 millis")

    yield* Scope.close(first, Exit.void)
    yield* TestClock.adjust("1 minute")
    const between = yield* current(job)
    yield* Layer.build(Layer.fresh(Replays.layerLoop))
    yield* TestClock.adjust("1 millis")

    assert.strictEqual(between.replayed, batchMax)
    assert.deepInclude(yield* current(job), { status: "completed", replayed: batchMax + 1 })
    const rounds = (yield* deliveriesOf(tenant)).map(({ round }) => round)
    assert.deepStrictEqual(rounds, Array.replicate(2, batchMax + 1))
  })

  it.effect("finds a job within five seconds whose signal was lost, also after a batch that failed", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenantWithDead(1)
      const job = yield* makeJob(tenant)
      yield* Layer.build(Replays.layerLoop)

      yield* TestClock.adjust("4999 millis")
      const before = yield* current(job)
      yield* TestClock.adjust("1 millis")

      assert.deepInclude(before, { status: "running", replayed: 0 })
      assert.deepInclude(yield* current(job), { status: "completed", replayed: 1 })
    }).pipe(Effect.provide(engineFailingOnce))
  )

  it.effect("goes on with other jobs while a batch of one fails, and comes back to that one", () =>
    Effect.gen(function* () {
      const [failing, other] = [yield* makeTenantWithDead(1), yield* makeTenantWithDead(1)]
      const [first, next] = [yield* makeJob(failing), yield* makeJob(other)]
      yield* Layer.build(Replays.layerLoop)

      yield* TestClock.adjust("1 millis")
      const meanwhile = [yield* current(first), yield* current(next)]
      yield* TestClock.adjust("4998 millis")
      const before = yield* current(first)
      yield* TestClock.adjust("1 second")

      assert.deepStrictEqual(
        [...meanwhile, before, yield* current(first)].map(({ status }) => status),
        ["running", "completed", "running", "completed"]
      )
    }).pipe(Effect.provide(engineFailingOnce))
  )
})

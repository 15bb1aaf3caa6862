import { assert, describe } from "@effect/vitest"
import { RunStore } from "@runhook/core/runs/RunStore"
import { Agents } from "@runhook/core/catalog/Agents"
import { Executions } from "@runhook/core/executions/Executions"
import { Runs } from "@runhook/core/runs/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { engineOver, stores } from "@runhook/test-support/engine/Engine"
import { idsOf, isOver, makeRunner, parked, poll } from "@runhook/test-support/engine/Runner"
import { makeAgent, makeExecution, makeTenant, type Tenant } from "@runhook/test-support/engine/Tenant"
import { testOn } from "@runhook/test-support/TestOn"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { TestClock } from "effect/testing"

/** How often somebody has looked for work. */
class Looks extends Context.Service<Looks, Ref.Ref<number>>()("@runhook/core/test/runs/claim/Looks") {
  static readonly layer = Layer.effect(Looks, Ref.make(0))
}

const countingStore = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const store = yield* RunStore
    const looks = yield* Looks
    return RunStore.of({
      ...store,
      claim: (options) =>
        Effect.andThen(
          Ref.update(looks, (count) => count + 1),
          store.claim(options)
        )
    })
  })
).pipe(Layer.provideMerge(Layer.merge(stores, Looks.layer)))

const countingEngine = engineOver(countingStore)

const test = testOn(countingEngine)

/** Polls that wait, each of a session of its own. */
const crowd = (
  tenant: Tenant,
  {
    count,
    name = "runner",
    ...fields
  }: { readonly count: number; readonly name?: string; readonly freeSlots?: number }
) =>
  Effect.forEach(
    Array.from({ length: count }, (_, place) => `${name}-${place}`),
    (instanceId) =>
      Effect.flatMap(makeRunner(tenant, { instanceId }), (runner) => parked(poll(runner, fields)))
  )

/** Work that is released: nobody gets it as it is created. */
const released = Effect.fnUntraced(function* (tenant: Tenant) {
  const executions = yield* Executions
  return yield* executions.release(yield* makeExecution(tenant, { isHeld: true }))
})

/** How often somebody looks for work while something is done. */
const looksOf = Effect.fnUntraced(function* <A, E, R>(act: Effect.Effect<A, E, R>) {
  const looks = yield* Looks
  yield* Ref.set(looks, 0)
  const value = yield* act
  yield* TestClock.adjust(0)
  return [yield* Ref.get(looks), value] as const
})

describe("Of a hundred polls that wait for work", () => {
  test("none looks for work that is created, which the one gets that has waited longest", function* () {
    const tenant = yield* makeTenant()
    const polls = yield* crowd(tenant, { count: 100 })

    const [looks, { id }] = yield* looksOf(makeExecution(tenant))

    assert.strictEqual(looks, 0)
    const over = yield* Effect.filter(polls, isOver)
    assert.deepStrictEqual(over, polls.slice(0, 1))
    assert.deepStrictEqual(idsOf(yield* Fiber.join(over[0] ?? assert.fail())), [id])
  })

  test("one looks for work that comes, the one that has waited longest", function* () {
    const tenant = yield* makeTenant()
    const polls = yield* crowd(tenant, { count: 100, freeSlots: 2 })

    const [looks, { id }] = yield* looksOf(released(tenant))

    assert.strictEqual(looks, 1)
    const over = yield* Effect.filter(polls, isOver)
    assert.deepStrictEqual(over, polls.slice(0, 1))
    assert.deepStrictEqual(idsOf(yield* Fiber.join(over[0] ?? assert.fail())), [id])
  })

  test("one more looks whether there is more when who was woken could take no more", function* () {
    const tenant = yield* makeTenant()
    yield* crowd(tenant, { count: 100, freeSlots: 1 })

    const [looks] = yield* looksOf(released(tenant))

    assert.strictEqual(looks, 2)
  })

  test("as many take work as there is room for at once, though it is told once", function* () {
    const tenant = yield* makeTenant({ agent: { capacity: 1 } })
    yield* (yield* Agents).update(tenant.agent, { state: "paused" })
    yield* Effect.replicateEffect(makeExecution(tenant), 12)
    const polls = yield* crowd(tenant, { count: 100 })

    const [looks] = yield* looksOf((yield* Agents).update(tenant.agent, { state: "active", capacity: 10 }))

    assert.strictEqual((yield* Effect.filter(polls, isOver)).length, 10)
    assert.strictEqual(looks, 11)
  })

  test("none looks that does not serve the agent", function* () {
    const tenant = yield* makeTenant()
    const other = yield* makeAgent(tenant.agent)
    const narrow = yield* makeRunner(tenant, { instanceId: "narrow", agentIds: [other.id] })
    const waiting = yield* parked(poll(narrow))
    yield* crowd(tenant, { count: 99, freeSlots: 2 })

    const [looks] = yield* looksOf(released(tenant))

    assert.strictEqual(looks, 1)
    assert.isFalse(yield* isOver(waiting))
  })

  test("the next has the turn of one whose session was left", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant, { instanceId: "gone" })
    const gone = yield* parked(poll(runner))
    const [next] = yield* crowd(tenant, { count: 99 })
    yield* (yield* Runs).close(runner.key, runner.sessionId)

    const { id } = yield* makeExecution(tenant)

    assert.strictEqual((yield* Effect.flip(Fiber.join(gone)))._tag, "SessionNotFound")
    assert.deepStrictEqual(idsOf(yield* Fiber.join(next ?? assert.fail())), [id])
  })

  test("the next knows of soon due work that only the one knew of that ends", function* () {
    const tenant = yield* makeTenant()
    const [first, next] = yield* crowd(tenant, { count: 100 })
    const { id } = yield* makeExecution(tenant, { scheduledAt: second(3) })
    yield* TestClock.adjust("1 second")

    yield* Fiber.interrupt(first ?? assert.fail())
    yield* TestClock.adjust("2 seconds")

    assert.deepStrictEqual(idsOf(yield* Fiber.join(next ?? assert.fail())), [id])
  })
})

describe("Of two polls of one session", () => {
  test("the older ends at once with nothing, and the newer gets the work", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const older = yield* parked(poll(runner))
    const newer = yield* parked(poll(runner))

    assert.isTrue(yield* isOver(older))
    const ended = yield* Fiber.join(older)
    const { id } = yield* makeExecution(tenant)

    assert.deepStrictEqual([ended.claims, ended.commands, ended.lost], [[], [], []])
    assert.deepStrictEqual(idsOf(yield* Fiber.join(newer)), [id])
  })
})

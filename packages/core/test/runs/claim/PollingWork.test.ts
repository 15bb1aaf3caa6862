import { assert, describe } from "@effect/vitest"
import { Draining } from "@runhook/core/engine/Draining"
import { Agents } from "@runhook/core/catalog/Agents"
import { Executions } from "@runhook/core/executions/Executions"
import { Runs } from "@runhook/core/runs/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import {
  idsOf,
  isOver,
  makeClaimedRun,
  makeRunner,
  makeStartedRun,
  parked,
  poll,
  pollNow
} from "@runhook/test-support/engine/Runner"
import { current, makeAgent, makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"

describe("A poll for work", () => {
  test("is given the best of what is due, and no more than it has slots for", function* () {
    const tenant = yield* makeTenant()
    const low = yield* makeExecution(tenant, { priority: -1 })
    const ordinary = yield* makeExecution(tenant)
    const high = yield* makeExecution(tenant, { priority: 1 })
    const runner = yield* makeRunner(tenant)

    const first = yield* poll(runner, { freeSlots: 2 })
    const rest = yield* poll(runner, { freeSlots: 2 })

    assert.deepStrictEqual(idsOf(first), [high.id, ordinary.id])
    assert.deepStrictEqual(idsOf(rest), [low.id])
  })

  test("is woken by work that comes", function* () {
    const tenant = yield* makeTenant()
    const waiting = yield* parked(poll(yield* makeRunner(tenant)))

    const execution = yield* makeExecution(tenant)

    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("is woken by held work that is released", function* () {
    const tenant = yield* makeTenant()
    const execution = yield* makeExecution(tenant, { isHeld: true })
    const waiting = yield* parked(poll(yield* makeRunner(tenant)))

    yield* (yield* Executions).release(execution)

    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("is woken by deferred work exactly when that is due", function* () {
    const tenant = yield* makeTenant()
    const waiting = yield* parked(poll(yield* makeRunner(tenant)))

    const execution = yield* makeExecution(tenant, { scheduledAt: second(7) })
    yield* TestClock.adjust("6999 millis")
    const isEarly = yield* isOver(waiting)
    yield* TestClock.adjust("1 millis")

    assert.isFalse(isEarly)
    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("goes on waiting when another was faster", function* () {
    const tenant = yield* makeTenant()
    const polls = yield* Effect.forEach(["a", "b"], (instanceId) =>
      Effect.flatMap(makeRunner(tenant, { instanceId }), (runner) => parked(poll(runner)))
    )

    const execution = yield* makeExecution(tenant)

    const answered = yield* Effect.filter(polls, isOver)
    assert.strictEqual(answered.length, 1)
    const [claims] = yield* Fiber.joinAll(answered)
    assert.deepStrictEqual(claims && idsOf(claims), [execution.id])
  })

  test("is not woken by work of agents that the session does not serve", function* () {
    const tenant = yield* makeTenant()
    const other = yield* makeAgent(tenant.agent)
    const waiting = yield* parked(poll(yield* makeRunner(tenant, { agentIds: [other.id] })))

    yield* makeExecution(tenant)

    assert.isFalse(yield* isOver(waiting))
  })

  test("is woken by an agent's work that another session finishes, once the agent is full", function* () {
    const tenant = yield* makeTenant({ agent: { capacity: 1 } })
    const { held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant, { instanceId: "a" }))
    const execution = yield* makeExecution(tenant)
    const waiting = yield* parked(poll(yield* makeRunner(tenant, { instanceId: "b" })))

    yield* (yield* Runs).finish({ ...held, outcome: { _tag: "Completed", result: null } })

    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("is woken by an agent that gets more capacity", function* () {
    const tenant = yield* makeTenant({ agent: { capacity: 1 } })
    const runner = yield* makeRunner(tenant)
    yield* makeClaimedRun(tenant, runner)
    const execution = yield* makeExecution(tenant)
    const waiting = yield* parked(poll(runner))

    yield* (yield* Agents).update(tenant.agent, { capacity: 2 })

    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("is woken by a paused agent that is active again", function* () {
    const agents = yield* Agents
    const tenant = yield* makeTenant()
    yield* agents.update(tenant.agent, { state: "paused" })
    const execution = yield* makeExecution(tenant)
    const waiting = yield* parked(poll(yield* makeRunner(tenant)))

    yield* agents.update(tenant.agent, { state: "active" })

    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("is woken by what a leaving session has not started", function* () {
    const tenant = yield* makeTenant({ agent: { capacity: 1 } })
    const leaving = yield* makeRunner(tenant, { instanceId: "a" })
    const { execution } = yield* makeClaimedRun(tenant, leaving)
    const waiting = yield* parked(poll(yield* makeRunner(tenant, { instanceId: "b" })))

    yield* (yield* Runs).close(leaving.key, leaving.sessionId)

    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("gets what was given back when its delay is over", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const { execution, held } = yield* makeClaimedRun(tenant, runner)
    const waiting = yield* parked(poll(runner))

    yield* (yield* Runs).giveBack({ ...held, delay: Duration.seconds(10) })
    yield* TestClock.adjust("9999 millis")
    const isEarly = yield* isOver(waiting)
    yield* TestClock.adjust("1 millis")

    assert.isFalse(isEarly)
    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("is answered the same work when it repeats its claim id, and no other", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    yield* makeExecution(tenant)
    yield* makeExecution(tenant)
    const claims = yield* poll(runner, { claimId: "claim-1" })

    const repeated = yield* poll(runner, { claimId: "claim-1" })

    assert.deepStrictEqual(repeated.claims, claims.claims)
  })

  test("is answered that also after another claim has found nothing", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const { id } = yield* makeExecution(tenant)
    yield* poll(runner, { claimId: "claim-1" })
    yield* pollNow(runner, { claimId: "claim-2" })

    const repeated = yield* pollNow(runner, { claimId: "claim-1" })

    assert.deepStrictEqual(idsOf(repeated), [id])
  })

  test.each([
    { what: "while it drains", fields: { isDraining: true } },
    { what: "without free slots", fields: { freeSlots: 0 } }
  ])("takes nothing $what", function* ({ fields }) {
    const tenant = yield* makeTenant()
    const execution = yield* makeExecution(tenant)

    const { claims } = yield* pollNow(yield* makeRunner(tenant), fields)

    assert.deepStrictEqual(claims, [])
    assert.strictEqual((yield* current(execution)).epoch, 0)
  })

  test("shows the work its params with defaults, and keeps them as they were given", function* () {
    const paramsSchema = { type: "object", properties: { pages: { type: "integer", default: 3 } } }
    const tenant = yield* makeTenant({ version: { paramsSchema } })
    const execution = yield* makeExecution(tenant, { params: { month: "2029-12" } })

    const { claims } = yield* poll(yield* makeRunner(tenant))

    assert.deepStrictEqual(claims[0]?.params.value, { month: "2029-12", pages: 3 })
    assert.deepStrictEqual((yield* current(execution)).params.value, { month: "2029-12" })
  })

  test.each([
    { wait: Duration.seconds(10), ends: Duration.seconds(10) },
    { wait: Duration.hours(1), ends: Duration.seconds(25) }
  ])("is answered with nothing after $ends when it would wait $wait", function* ({ ends, wait }) {
    const waiting = yield* parked(poll(yield* makeRunner(yield* makeTenant()), { wait }))

    yield* TestClock.adjust(Duration.subtract(ends, Duration.millis(1)))
    const isEarly = yield* isOver(waiting)
    yield* TestClock.adjust("1 millis")

    assert.isFalse(isEarly)
    assert.deepStrictEqual(yield* Fiber.join(waiting), { claims: [], commands: [], held: [], lost: [] })
  })

  test("is answered when the service is about to stop", function* () {
    const waiting = yield* parked(poll(yield* makeRunner(yield* makeTenant())))

    yield* (yield* Draining).begin

    assert.deepStrictEqual((yield* Fiber.join(waiting)).claims, [])
  })

  test("finds no session of another key", function* () {
    const { sessionId } = yield* makeRunner(yield* makeTenant())
    const { runnerKey } = yield* makeTenant()

    const error = yield* Effect.flip(poll({ key: runnerKey, sessionId }))

    assert.strictEqual(error._tag, "SessionNotFound")
  })
})

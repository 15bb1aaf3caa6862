import { assert, describe } from "@effect/vitest"
import { statusOf } from "@runhook/core/catalog/Agent"
import { answerToResumeWith } from "@runhook/core/runs/sessions/RunnerCommand"
import { Sweeps } from "@runhook/core/sweeps/Sweeps"
import { Agents } from "@runhook/core/catalog/Agents"
import { Executions } from "@runhook/core/executions/Executions"
import { Inputs } from "@runhook/core/runs/Inputs"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { RunnerSessions } from "@runhook/core/runs/sessions/RunnerSessions"
import { Runs } from "@runhook/core/runs/Runs"
import { test } from "@runhook/test-support/engine/Test"
import {
  idsOf,
  inFlightOf,
  isOver,
  makeRunner,
  makeStartedRun,
  newQuestion,
  parked,
  poll,
  pollNow
} from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant, type TenantFields } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"

/** A runner whose polls speak of the one execution it has started. */
const makeBusyRunner = Effect.fnUntraced(function* (fields: TenantFields = {}) {
  const tenant = yield* makeTenant(fields)
  const runner = yield* makeRunner(tenant)
  const { execution, held } = yield* makeStartedRun(tenant, runner)
  return { tenant, runner, execution, held, polling: { inFlight: [inFlightOf(held)] } }
})

describe("A poll for news", () => {
  test("of the session that holds the work is woken by its cancel, and no other", function* () {
    const { execution, held, polling, runner, tenant } = yield* makeBusyRunner()
    const other = yield* parked(poll(yield* makeRunner(tenant, { instanceId: "other" }), { freeSlots: 0 }))
    const waiting = yield* parked(poll(runner, { ...polling, freeSlots: 0 }))

    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: "not needed" })

    const { commands, held: kept, lost } = yield* Fiber.join(waiting)
    assert.deepStrictEqual(commands, [
      { _tag: "Cancel", executionId: execution.id, epoch: held.epoch, reason: "not needed" }
    ])
    assert.deepStrictEqual([...kept, ...lost], [])
    assert.isFalse(yield* isOver(other))
  })

  test("is cut short by an operator who wants the runner gone, which is told until it says that it goes", function* () {
    const [agents, sessions] = [yield* Agents, yield* RunnerSessions]
    const { polling, runner, tenant } = yield* makeBusyRunner()
    const waiting = yield* parked(poll(runner, { ...polling, freeSlots: 1 }))

    const { drainRequestedAt } = yield* sessions.drain({
      accountId: tenant.caller.accountId,
      id: runner.sessionId
    })

    const { commands, held } = yield* Fiber.join(waiting)
    assert.deepStrictEqual(commands, [{ _tag: "Drain" }])
    assert.strictEqual(held.length, 1)
    assert.isNotNull(drainRequestedAt)
    const waits = yield* makeExecution(tenant)
    const again = yield* pollNow(runner, { ...polling, freeSlots: 1 })
    const beat = yield* (yield* Polling).beat({ ...runner, ...polling })
    assert.deepStrictEqual([again.claims, again.commands], [[], [{ _tag: "Drain" }]])
    assert.deepStrictEqual(beat.commands, [{ _tag: "Drain" }])
    assert.strictEqual(statusOf(yield* agents.get(tenant.agent)), "draining")
    const going = yield* pollNow(runner, { ...polling, isDraining: true })
    assert.deepStrictEqual(going.commands, [])
    const back = yield* makeRunner(tenant)
    assert.deepStrictEqual(idsOf(yield* pollNow(back)), [waits.id])
  })

  test("is cut short once by each piece of news, which is repeated until it is obeyed", function* () {
    const executions = yield* Executions
    const { execution, polling, runner, tenant } = yield* makeBusyRunner()
    const second = yield* makeStartedRun(tenant, runner)
    const both = { inFlight: [...polling.inFlight, inFlightOf(second.held)] }
    yield* executions.stop({ ...execution, to: "aborted", reason: null })

    const cut = yield* poll(runner, both)
    const waiting = yield* parked(poll(runner, both))
    yield* executions.stop({ ...second.execution, to: "aborted", reason: null })
    const cutAgain = yield* Fiber.join(waiting)
    const obeyed = yield* parked(poll(runner))
    yield* TestClock.adjust("25 seconds")

    assert.strictEqual(cut.commands.length, 1)
    assert.strictEqual(cutAgain.commands.length, 2)
    assert.deepStrictEqual((yield* Fiber.join(obeyed)).commands, [])
  })

  test("has the news that an earlier poll, to which nobody listens any more, has taken too", function* () {
    const { execution, polling, runner } = yield* makeBusyRunner()
    yield* parked(poll(runner, polling))
    const waiting = yield* parked(poll(runner, polling))

    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })

    assert.strictEqual((yield* Fiber.join(waiting)).commands.length, 1)
  })

  test("fails as soon as the key of its runner is revoked", function* () {
    const tenant = yield* makeTenant()
    const waiting = yield* parked(poll(yield* makeRunner(tenant)))

    yield* (yield* RunnerKeys).revoke(tenant.runnerKey)

    assert.isTrue(yield* isOver(waiting))
    assert.strictEqual((yield* Effect.flip(Fiber.join(waiting)))._tag, "Unauthorized")
  })

  test("tells the runner to stop what ended because it was silent", function* () {
    const { polling, runner } = yield* makeBusyRunner()
    yield* TestClock.adjust("60 seconds")
    yield* (yield* Sweeps).round

    const { commands } = yield* poll(runner, polling)

    assert.deepInclude(commands[0], { _tag: "Cancel", reason: "runner lost" })
  })

  test("names work as lost that is queued again because the runner was silent", function* () {
    const { held, polling, runner } = yield* makeBusyRunner({ task: { maxAttempts: 2 } })
    yield* TestClock.adjust("60 seconds")
    yield* (yield* Sweeps).round

    const { commands, lost } = yield* poll(runner, { ...polling, freeSlots: 0 })

    assert.deepStrictEqual([commands, lost], [[], [inFlightOf(held)]])
  })

  test("names work under an epoch that is not its own as lost", function* () {
    const { held, polling, runner } = yield* makeBusyRunner()
    const stale = { ...inFlightOf(held), epoch: held.epoch - 1 }

    const pulse = yield* pollNow(runner, { inFlight: [...polling.inFlight, stale] })

    assert.deepStrictEqual(pulse.lost, [stale])
    assert.deepStrictEqual(
      pulse.held.map(({ executionId }) => executionId),
      [held.id]
    )
  })

  test("keeps the leases of started work alive while it waits", function* () {
    const { polling, runner } = yield* makeBusyRunner()
    const waiting = yield* parked(poll(runner, polling))

    yield* TestClock.adjust("25 seconds")

    const { held } = yield* Fiber.join(waiting)
    assert.strictEqual(held[0]?.lease.expiresAt.epochMilliseconds, Date.UTC(2030, 0, 1, 0, 1, 25))
  })

  test("is woken by the answer to a question of work that holds on", function* () {
    const { execution, held, polling, runner } = yield* makeBusyRunner()
    const { input } = yield* (yield* Runs).ask({ ...held, question: newQuestion() })
    const waiting = yield* parked(poll(runner, polling))

    yield* (yield* Inputs).answer({ ...execution, inputId: input.id, value: "1234" })

    const { commands } = yield* Fiber.join(waiting)
    assert.deepStrictEqual(commands, [
      { _tag: "InputAnswered", executionId: execution.id, inputId: input.id, value: "1234" }
    ])
  })

  test("claims work that let go to wait for its answer, with the answer", function* () {
    const { execution, held, runner, tenant } = yield* makeBusyRunner()
    const question = newQuestion({ mode: "release" })
    const { input } = yield* (yield* Runs).ask({ ...held, question })
    const other = yield* makeRunner(tenant, { instanceId: "other" })
    const asked = yield* pollNow(runner, { inFlight: [inFlightOf(held)] })
    const waiting = yield* parked(poll(other))

    yield* (yield* Inputs).answer({ ...execution, inputId: input.id, value: "1234" })

    const resumed = yield* Fiber.join(waiting)
    assert.deepStrictEqual(asked.lost, [inFlightOf(held)])
    assert.deepStrictEqual(idsOf(resumed), [execution.id])
    assert.deepInclude(resumed.claims[0] && answerToResumeWith(resumed.claims[0].run), {
      id: input.id,
      value: "1234"
    })
  })
})

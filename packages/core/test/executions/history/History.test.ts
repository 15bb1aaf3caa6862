import { assert, describe } from "@effect/vitest"
import type { Block } from "@runhook/core/executions/history/Explanation"
import { Signals } from "@runhook/core/signals/Signals"
import { Agents } from "@runhook/core/catalog/Agents"
import { Executions } from "@runhook/core/executions/Executions"
import { History } from "@runhook/core/executions/history/History"
import { Inputs } from "@runhook/core/runs/Inputs"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { Runs } from "@runhook/core/runs/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import { inFlightOf, makeRunner, makeStartedRun, newQuestion } from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"

const callbackUrl = "https://example.com/hook"
const fromFirst = { after: 0, limit: 50, wait: Duration.zero, key: null }

describe("History.events", () => {
  test("tells why it ended, and which question was asked and answered", function* () {
    const tenant = yield* makeTenant()
    const { execution, held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    yield* TestClock.adjust("1 second")
    const { input } = yield* (yield* Runs).ask({ ...held, question: newQuestion() })
    yield* TestClock.adjust("1 second")
    yield* (yield* Inputs).answer({ ...execution, inputId: input.id, value: "42" })
    yield* (yield* Executions).stop({ ...execution, to: "cancelled", reason: "not needed" })

    const events = yield* (yield* History).events({ ...execution, ...fromFirst })

    const asked = { input_id: input.id, input_key: input.key, prompt: input.prompt }
    assert.deepStrictEqual(
      events.map(({ data, type }) => [type, data]),
      [
        ["created", null],
        ["claimed", null],
        ["started", null],
        ["input_requested", asked],
        ["input_answered", asked],
        ["cancelled", { reason: "not needed" }]
      ]
    )
  })

  test("waits for the next change, and not for one of a finished execution", function* () {
    const history = yield* History
    const executions = yield* Executions
    const execution = yield* makeExecution(yield* makeTenant())
    const behind = (after: number) =>
      history.events({ ...execution, after, limit: 50, wait: Duration.seconds(30), key: null })

    const waiting = yield* Effect.forkChild(behind(1), { startImmediately: true })
    yield* TestClock.adjust("3 seconds")
    const before = waiting.pollUnsafe()
    yield* executions.stop({ ...execution, to: "aborted", reason: null })
    const next = yield* Fiber.join(waiting)
    const none = yield* behind(2)

    assert.isUndefined(before)
    assert.deepStrictEqual(
      next.map(({ sequence, type }) => [sequence, type]),
      [[2, "aborted"]]
    )
    assert.deepStrictEqual(none, [])
  })
})

describe("History.explain", () => {
  test("names everything that is in the way of an execution", function* () {
    const history = yield* History
    const tenant = yield* makeTenant({ agent: { capacity: 1 } })
    const { agent } = tenant
    yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    yield* makeExecution(tenant)
    const execution = yield* makeExecution(tenant)
    yield* (yield* Agents).update(agent, { state: "paused" })

    const explanation = yield* history.explain(execution)

    assert.deepStrictEqual(explanation, {
      state: "waiting",
      position: 2,
      blockedBy: [
        { kind: "agent_paused", id: agent.id, key: null, limit: null, current: null },
        { kind: "agent_capacity", id: agent.id, key: null, limit: 1, current: 1 },
        { kind: "queue", id: agent.id, key: null, limit: null, current: 1 }
      ],
      runnersOnline: 1,
      notBefore: null,
      expiresAt: null
    })
  })

  test("tells what is held, what is to start later, and what runs", function* () {
    const history = yield* History
    const tenant = yield* makeTenant()
    const held = yield* makeExecution(tenant, { isHeld: true, expiresAt: second(900) })
    const later = yield* makeExecution(tenant, { scheduledAt: second(600) })
    const nobody: ReadonlyArray<Block> = [
      { kind: "no_runner", id: tenant.agent.id, key: null, limit: null, current: 0 }
    ]

    const ofHeld = yield* history.explain(held)
    const ofLater = yield* history.explain(later)
    const { execution } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    const ofStarted = yield* history.explain(execution)

    assert.deepInclude(ofHeld, { state: "held", position: null, expiresAt: second(900) })
    assert.deepStrictEqual(ofHeld.blockedBy, [
      { kind: "held", id: held.id, key: null, limit: null, current: null },
      ...nobody
    ])
    assert.deepInclude(ofLater, { state: "scheduled", position: null, notBefore: second(600) })
    assert.deepStrictEqual(ofLater.blockedBy.slice(1), nobody)
    assert.deepInclude(ofStarted, { state: "started", blockedBy: [], position: null })
  })
})

describe("History.progress", () => {
  test("is what the runner last said with a beat, and wakes who waits for news", function* () {
    const history = yield* History
    const polling = yield* Polling
    const signals = yield* Signals
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const { execution, held } = yield* makeStartedRun(tenant, runner)
    const inFlight = [inFlightOf(held)]
    const woken = yield* signals.subscribe([`execution:${execution.id}`])

    yield* polling.beat({ ...runner, inFlight })
    const before = yield* history.progress(execution)
    yield* polling.beat({
      ...runner,
      inFlight,
      reports: inFlight.map((each) => ({ ...each, percent: 40, message: null, step: "printing" }))
    })

    yield* woken
    assert.isUndefined(before)
    assert.deepStrictEqual(yield* history.progress(execution), {
      percent: 40,
      message: null,
      step: "printing",
      at: second(0)
    })
  })
})

describe("History.view", () => {
  test("has names beside ids and the callbacks of each execution", function* () {
    const tenant = yield* makeTenant()
    const quiet = yield* makeExecution(tenant)
    const telling = yield* makeExecution(tenant, { callbackUrl })

    const views = yield* (yield* History).view(tenant.agent.accountId, [telling, quiet])

    assert.deepStrictEqual(
      views.map(({ agentName, callbacks, execution, task, versionNumber }) => [
        execution.id,
        agentName,
        task.slug,
        versionNumber,
        callbacks.map(({ state, type }) => [type, state])
      ]),
      [
        [telling.id, "Clerk", "fetch-invoices", 1, [["execution.queued", "pending"]]],
        [quiet.id, "Clerk", "fetch-invoices", 1, []]
      ]
    )
  })
})

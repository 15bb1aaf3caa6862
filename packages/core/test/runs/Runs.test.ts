import { assert, describe } from "@effect/vitest"
import { waitAfter } from "@runhook/core/executions/RetryBackoff"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { Runs } from "@runhook/core/runs/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import {
  idsOf,
  makeClaimedRun,
  makeRunner,
  makeStartedRun,
  newIntroduction,
  pollNow,
  startNext
} from "@runhook/test-support/engine/Runner"
import {
  current,
  makeKeyForAnotherAgent,
  makeTenant,
  type TenantFields
} from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

const completed = { _tag: "Completed", result: null } as const
const failed = { _tag: "Failed", message: "no connection", isRetryable: true } as const

/** A tenant with a runner that has started one execution. */
const makeRunAtWork = Effect.fnUntraced(function* (fields: TenantFields = {}) {
  const tenant = yield* makeTenant(fields)
  const runner = yield* makeRunner(tenant)
  return { tenant, runner, ...(yield* makeStartedRun(tenant, runner)) }
})

describe("Runs.open", () => {
  test("finds the session of the same instance, with the work it still holds", function* () {
    const { execution, runner, tenant } = yield* makeRunAtWork()

    const again = yield* (yield* Runs).open(tenant.runnerKey, newIntroduction({ capacity: 1 }))

    assert.strictEqual(again.session.id, runner.sessionId)
    assert.strictEqual(again.session.capacity, 1)
    assert.deepStrictEqual(
      again.held.map(({ run }) => run.execution.id),
      [execution.id]
    )
    assert.deepStrictEqual(
      again.agents.map(({ id }) => id),
      [tenant.agent.id]
    )
  })

  test("serves the agents of its key when it names none", function* () {
    const key = yield* makeKeyForAnotherAgent(yield* makeTenant())

    const { agents, session } = yield* (yield* Runs).open(key, newIntroduction())

    assert.deepStrictEqual(session.agentIds, key.agentIds)
    assert.deepStrictEqual(
      agents.map(({ id }) => id),
      key.agentIds
    )
  })

  test("refuses an agent that the key may not serve", function* () {
    const tenant = yield* makeTenant()
    const key = yield* makeKeyForAnotherAgent(tenant)

    const error = yield* Effect.flip(
      (yield* Runs).open(key, newIntroduction({ agentIds: [tenant.agent.id] }))
    )

    assert.deepInclude(error, { _tag: "ScopeViolation", field: "agent_id", id: tenant.agent.id })
  })
})

describe("Runs.start", () => {
  test("begins the attempt once, however often it is repeated", function* () {
    const runs = yield* Runs
    const tenant = yield* makeTenant()
    const { execution, held } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
    yield* runs.start(held)
    yield* TestClock.adjust("10 seconds")

    const repeated = yield* runs.start(held)

    assert.isFalse(repeated.changed)
    assert.deepInclude(yield* current(execution), { status: "running", attempt: 1, startedAt: second(0) })
  })
})

describe("Runs.finish", () => {
  const resultSchema = {
    type: "object",
    required: ["pages"],
    properties: { pages: { type: "integer" } }
  }

  test("stores the outcome once, and answers an equal repeat alike", function* () {
    const runs = yield* Runs
    const { execution, held } = yield* makeRunAtWork({ version: { resultSchema } })
    const outcome = { _tag: "Completed", result: StoredJson.of({ pages: 3 }) } as const
    const first = yield* runs.finish({ ...held, outcome })

    const repeated = yield* runs.finish({ ...held, outcome })

    assert.deepStrictEqual([first.changed, repeated.changed], [true, false])
    assert.deepInclude(yield* current(execution), {
      status: "completed",
      result: StoredJson.of({ pages: 3 })
    })
  })

  test("refuses to end in two ways", function* () {
    const runs = yield* Runs
    const { held } = yield* makeRunAtWork()
    yield* runs.finish({ ...held, outcome: completed })

    const error = yield* Effect.flip(runs.finish({ ...held, outcome: failed }))

    assert.deepInclude(error, { _tag: "AlreadyFinished", status: "completed" })
  })

  test.each([
    { what: "a result that breaks", result: StoredJson.of({ pages: "three" }) },
    { what: "no result against", result: null }
  ])("refuses $what the schema of the version, and lets the runner try again", function* ({ result }) {
    const runs = yield* Runs
    const { execution, held } = yield* makeRunAtWork({ version: { resultSchema } })

    const error = yield* Effect.flip(runs.finish({ ...held, outcome: { _tag: "Completed", result } }))

    assert.strictEqual(error._tag, "InvalidParams")
    assert.strictEqual((yield* current(execution)).status, "running")
    yield* runs.finish({ ...held, outcome: { _tag: "Completed", result: StoredJson.of({ pages: 3 }) } })
  })

  test("looks at the lease before the result", function* () {
    const runs = yield* Runs
    const { held } = yield* makeRunAtWork({ version: { resultSchema } })
    const end = { ...held, outcome: { _tag: "Completed", result: StoredJson.of({ pages: 1 }) } } as const
    const broken = { ...end, outcome: completed }

    const stale = yield* Effect.flip(runs.finish({ ...broken, epoch: held.epoch - 1 }))
    yield* runs.finish(end)
    const contradiction = yield* Effect.flip(runs.finish(broken))

    assert.strictEqual(stale._tag, "LeaseLost")
    assert.strictEqual(contradiction._tag, "AlreadyFinished")
  })

  test("asks no result of work that failed", function* () {
    const { execution, held } = yield* makeRunAtWork({ version: { resultSchema } })

    yield* (yield* Runs).finish({ ...held, outcome: failed })

    assert.deepInclude(yield* current(execution), { status: "error", errorMessage: "no connection" })
  })

  test("queues again what may be retried, until its attempts are used up", function* () {
    const runs = yield* Runs
    const { execution, held, runner } = yield* makeRunAtWork({ task: { maxAttempts: 2 } })
    yield* runs.finish({ ...held, outcome: failed })
    const retried = yield* current(execution)
    yield* TestClock.adjust(waitAfter(retried))

    yield* runs.finish({ ...(yield* startNext(runner)), outcome: failed })

    assert.deepInclude(retried, { status: "queued", attempt: 1 })
    assert.deepInclude(yield* current(execution), { status: "error", attempt: 2 })
  })

  test("does not retry a failure that the runner calls final", function* () {
    const { execution, held } = yield* makeRunAtWork({ task: { maxAttempts: 2 } })

    yield* (yield* Runs).finish({ ...held, outcome: { ...failed, isRetryable: false } })

    assert.strictEqual((yield* current(execution)).status, "error")
  })
})

describe("Runs.giveBack", () => {
  test("puts back what was not started, and nothing else", function* () {
    const runs = yield* Runs
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const { execution, held } = yield* makeClaimedRun(tenant, runner)
    yield* runs.giveBack({ ...held, delay: Duration.zero })
    const started = yield* startNext(runner)

    const error = yield* Effect.flip(runs.giveBack({ ...started, delay: Duration.zero }))

    assert.strictEqual(started.id, execution.id)
    assert.deepInclude(error, { _tag: "IllegalTransition", from: "running" })
  })
})

describe("Runs.close", () => {
  test("ends the session, and leaves it the work it has started", function* () {
    const { execution, held, runner, tenant } = yield* makeRunAtWork()
    const claimed = yield* makeClaimedRun(tenant, runner)
    yield* (yield* Runs).close(runner.key, runner.sessionId)

    const error = yield* Effect.flip((yield* Polling).beat({ ...runner, inFlight: [] }))

    assert.strictEqual(error._tag, "SessionNotFound")
    const { claims } = yield* Effect.flatMap(makeRunner(tenant, { instanceId: "other" }), pollNow)
    assert.deepStrictEqual(idsOf({ claims }), [claimed.execution.id])
    yield* (yield* Runs).finish({ ...held, outcome: completed })
    assert.strictEqual((yield* current(execution)).status, "completed")
  })

  test("finds no session of another key", function* () {
    const { sessionId } = yield* makeRunner(yield* makeTenant())
    const { runnerKey } = yield* makeTenant()

    const error = yield* Effect.flip((yield* Runs).close(runnerKey, sessionId))

    assert.strictEqual(error._tag, "SessionNotFound")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { waitAfter } from "@runhook/core/domain/execution/RetryBackoff"
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import { Polling } from "@runhook/core/usecases/Polling"
import { Runs } from "@runhook/core/usecases/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { engine } from "@runhook/test-support/engine/Engine"
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
  it.effect("finds the session of the same instance, with the work it still holds", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(engine))
  )

  it.effect("serves the agents of its key when it names none", () =>
    Effect.gen(function* () {
      const key = yield* makeKeyForAnotherAgent(yield* makeTenant())

      const { agents, session } = yield* (yield* Runs).open(key, newIntroduction())

      assert.deepStrictEqual(session.agentIds, key.agentIds)
      assert.deepStrictEqual(
        agents.map(({ id }) => id),
        key.agentIds
      )
    }).pipe(Effect.provide(engine))
  )

  it.effect("refuses an agent that the key may not serve", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const key = yield* makeKeyForAnotherAgent(tenant)

      const error = yield* Effect.flip(
        (yield* Runs).open(key, newIntroduction({ agentIds: [tenant.agent.id] }))
      )

      assert.deepInclude(error, { _tag: "ScopeViolation", field: "agent_id", id: tenant.agent.id })
    }).pipe(Effect.provide(engine))
  )
})

describe("Runs.start", () => {
  it.effect("begins the attempt once, however often it is repeated", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const tenant = yield* makeTenant()
      const { execution, held } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
      yield* runs.start(held)
      yield* TestClock.adjust("10 seconds")

      const repeated = yield* runs.start(held)

      assert.isFalse(repeated.changed)
      assert.deepInclude(yield* current(execution), { status: "running", attempt: 1, startedAt: second(0) })
    }).pipe(Effect.provide(engine))
  )
})

describe("Runs.finish", () => {
  const resultSchema = {
    type: "object",
    required: ["pages"],
    properties: { pages: { type: "integer" } }
  }

  it.effect("stores the outcome once, and answers an equal repeat alike", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(engine))
  )

  it.effect("refuses to end in two ways", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const { held } = yield* makeRunAtWork()
      yield* runs.finish({ ...held, outcome: completed })

      const error = yield* Effect.flip(runs.finish({ ...held, outcome: failed }))

      assert.deepInclude(error, { _tag: "AlreadyFinished", status: "completed" })
    }).pipe(Effect.provide(engine))
  )

  it.effect.each([
    { what: "a result that breaks", result: StoredJson.of({ pages: "three" }) },
    { what: "no result against", result: null }
  ])("refuses $what the schema of the version, and lets the runner try again", ({ result }) =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const { execution, held } = yield* makeRunAtWork({ version: { resultSchema } })

      const error = yield* Effect.flip(runs.finish({ ...held, outcome: { _tag: "Completed", result } }))

      assert.strictEqual(error._tag, "InvalidParams")
      assert.strictEqual((yield* current(execution)).status, "running")
      yield* runs.finish({ ...held, outcome: { _tag: "Completed", result: StoredJson.of({ pages: 3 }) } })
    }).pipe(Effect.provide(engine))
  )

  it.effect("looks at the lease before the result", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const { held } = yield* makeRunAtWork({ version: { resultSchema } })
      const end = { ...held, outcome: { _tag: "Completed", result: StoredJson.of({ pages: 1 }) } } as const
      const broken = { ...end, outcome: completed }

      const stale = yield* Effect.flip(runs.finish({ ...broken, epoch: held.epoch - 1 }))
      yield* runs.finish(end)
      const contradiction = yield* Effect.flip(runs.finish(broken))

      assert.strictEqual(stale._tag, "LeaseLost")
      assert.strictEqual(contradiction._tag, "AlreadyFinished")
    }).pipe(Effect.provide(engine))
  )

  it.effect("asks no result of work that failed", () =>
    Effect.gen(function* () {
      const { execution, held } = yield* makeRunAtWork({ version: { resultSchema } })

      yield* (yield* Runs).finish({ ...held, outcome: failed })

      assert.deepInclude(yield* current(execution), { status: "error", errorMessage: "no connection" })
    }).pipe(Effect.provide(engine))
  )

  it.effect("queues again what may be retried, until its attempts are used up", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const { execution, held, runner } = yield* makeRunAtWork({ task: { maxAttempts: 2 } })
      yield* runs.finish({ ...held, outcome: failed })
      const retried = yield* current(execution)
      yield* TestClock.adjust(waitAfter(retried))

      yield* runs.finish({ ...(yield* startNext(runner)), outcome: failed })

      assert.deepInclude(retried, { status: "queued", attempt: 1 })
      assert.deepInclude(yield* current(execution), { status: "error", attempt: 2 })
    }).pipe(Effect.provide(engine))
  )

  it.effect("does not retry a failure that the runner calls final", () =>
    Effect.gen(function* () {
      const { execution, held } = yield* makeRunAtWork({ task: { maxAttempts: 2 } })

      yield* (yield* Runs).finish({ ...held, outcome: { ...failed, isRetryable: false } })

      assert.strictEqual((yield* current(execution)).status, "error")
    }).pipe(Effect.provide(engine))
  )
})

describe("Runs.giveBack", () => {
  it.effect("puts back what was not started, and nothing else", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const tenant = yield* makeTenant()
      const runner = yield* makeRunner(tenant)
      const { execution, held } = yield* makeClaimedRun(tenant, runner)
      yield* runs.giveBack({ ...held, delay: Duration.zero })
      const started = yield* startNext(runner)

      const error = yield* Effect.flip(runs.giveBack({ ...started, delay: Duration.zero }))

      assert.strictEqual(started.id, execution.id)
      assert.deepInclude(error, { _tag: "IllegalTransition", from: "running" })
    }).pipe(Effect.provide(engine))
  )
})

describe("Runs.close", () => {
  it.effect("ends the session, and leaves it the work it has started", () =>
    Effect.gen(function* () {
      const { execution, held, runner, tenant } = yield* makeRunAtWork()
      const claimed = yield* makeClaimedRun(tenant, runner)
      yield* (yield* Runs).close(runner.key, runner.sessionId)

      const error = yield* Effect.flip((yield* Polling).beat({ ...runner, inFlight: [] }))

      assert.strictEqual(error._tag, "SessionNotFound")
      const { claims } = yield* Effect.flatMap(makeRunner(tenant, { instanceId: "other" }), pollNow)
      assert.deepStrictEqual(idsOf({ claims }), [claimed.execution.id])
      yield* (yield* Runs).finish({ ...held, outcome: completed })
      assert.strictEqual((yield* current(execution)).status, "completed")
    }).pipe(Effect.provide(engine))
  )

  it.effect("finds no session of another key", () =>
    Effect.gen(function* () {
      const { sessionId } = yield* makeRunner(yield* makeTenant())
      const { runnerKey } = yield* makeTenant()

      const error = yield* Effect.flip((yield* Runs).close(runnerKey, sessionId))

      assert.strictEqual(error._tag, "SessionNotFound")
    }).pipe(Effect.provide(engine))
  )
})

/** What operators see of a whole engine. */
import { assert, describe, it } from "@effect/vitest"
import * as ServiceWatch from "@runhook/core/usage/ServiceWatch"
import { UsageStore } from "@runhook/core/usage/UsageStore"
import { Executions } from "@runhook/core/executions/Executions"
import { Runs } from "@runhook/core/runs/Runs"
import { engine } from "@runhook/test-support/engine/Engine"
import { makeRunner, makeStartedRun } from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as TestClock from "effect/testing/TestClock"

const watching = Layer.build(Layer.fresh(ServiceWatch.layerLoop))

const lines = Effect.map(PrometheusMetrics.format(), (text) => text.split("\n"))

describe("what operators see", () => {
  it.effect("is which work waits, of which agent and for how long", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      yield* watching
      const execution = yield* makeExecution(tenant)
      yield* TestClock.adjust("20 seconds")
      const later = yield* makeExecution(tenant)
      yield* TestClock.adjust("10 seconds")
      const of = `{agent_id="${execution.agentId}"}`

      const waiting = yield* lines
      yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })
      yield* TestClock.adjust("15 seconds")
      const left = yield* lines
      yield* (yield* Executions).stop({ ...later, to: "aborted", reason: null })
      yield* TestClock.adjust("15 seconds")

      assert.includeMembers(waiting, [
        `runhook_queue_depth${of} 2`,
        `runhook_queue_oldest_age_seconds${of} 30`,
        "runhook_executions_created_total 2"
      ])
      assert.notInclude((yield* lines).join("\n"), "agent_id")
      assert.includeMembers(left, [
        `runhook_queue_depth${of} 1`,
        `runhook_queue_oldest_age_seconds${of} 25`,
        `runhook_executions_ended_total{status="aborted"} 1`
      ])
    }).pipe(Effect.provide(engine), Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("is no agent whose work is done, and what became of it", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      yield* watching
      const { held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
      yield* (yield* Runs).finish({ ...held, outcome: { _tag: "Completed", result: null } })
      yield* TestClock.adjust("15 seconds")

      const shown = yield* lines

      assert.includeMembers(shown, [
        "runhook_claims_total 1",
        "runhook_execution_start_delay_seconds_count 1",
        `runhook_executions_ended_total{status="completed"} 1`,
        `runhook_executions_ended_total{status="error"} 0`,
        "runhook_runner_sessions 1"
      ])
      assert.notInclude(shown.join("\n"), "agent_id")
    }).pipe(Effect.provide(engine), Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("is nothing of before while the store cannot be asked", () =>
    Effect.gen(function* () {
      const store = yield* UsageStore
      let isAway = false
      const failing = UsageStore.of({
        ...store,
        serviceStanding: (options) =>
          Effect.suspend(() => (isAway ? Effect.die("away") : store.serviceStanding(options)))
      })
      yield* Effect.provideService(watching, UsageStore, failing)
      yield* TestClock.adjust("1 second")
      const before = yield* lines

      isAway = true
      yield* TestClock.adjust("15 seconds")

      assert.include(before, "runhook_runner_sessions 0")
      assert.notInclude((yield* lines).join("\n"), "runhook_runner_sessions")
    }).pipe(Effect.provide(engine), Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})

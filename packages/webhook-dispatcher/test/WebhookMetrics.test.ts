import { assert, describe, it } from "@effect/vitest"
import { start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { TestClock } from "effect/testing"
import { answeringInTurn } from "./Answers.ts"
import { makeDelivery, makeDispatcher, makeKey, nextSettled, world } from "./World.ts"

const lines = Effect.map(PrometheusMetrics.format(), (text) => text.split("\n"))

describe("WebhookMetrics", () => {
  it.effect("shows what attempts came to, how long they took and how late the first one was", () =>
    Effect.gen(function* () {
      const { record } = yield* makeKey()
      const { url } = yield* start(answeringInTurn(500))
      yield* makeDelivery(record, url)
      yield* TestClock.adjust("3 seconds")
      yield* makeDispatcher()
      yield* nextSettled

      yield* TestClock.adjust("6 seconds")

      yield* nextSettled
      assert.includeMembers(yield* lines, [
        `runhook_webhook_attempts_total{outcome="retry"} 1`,
        `runhook_webhook_attempts_total{outcome="delivered"} 1`,
        `runhook_webhook_attempt_duration_seconds_count{phase="done",outcome="retry"} 1`,
        `runhook_webhook_lag_seconds_count 1`,
        `runhook_webhook_lag_seconds_sum 3`
      ])
    }).pipe(Effect.provide(world), Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("shows nothing of an account, a URL or an event", () =>
    Effect.gen(function* () {
      const { record } = yield* makeKey()
      const { port, url } = yield* start(answeringInTurn(500))
      const { id } = yield* makeDelivery(record, url)
      yield* makeDispatcher()
      yield* nextSettled

      const text = (yield* lines).join("\n")

      for (const detail of [record.accountId, record.id, id, String(port)]) assert.notInclude(text, detail)
    }).pipe(Effect.provide(world), Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})

import { assert, describe } from "@effect/vitest"
import { Draining } from "@runhook/core/engine/Draining"
import { type ApiKeyRef, ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Authentication } from "@runhook/core/keys/Authentication"
import { Executions } from "@runhook/core/executions/Executions"
import { Runs } from "@runhook/core/runs/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import {
  isOver,
  makeClaimedRun,
  makeRunner,
  makeStartedRun,
  newQuestion,
  parked
} from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant, newKey } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"

const halfAMinute = Duration.seconds(30)

describe("Executions.awaitNews", () => {
  test("answers when the execution is finished, not when it starts", function* () {
    const [executions, runs] = [yield* Executions, yield* Runs]
    const tenant = yield* makeTenant()
    const { execution, held } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
    const waiting = yield* parked(
      executions.awaitNews(execution, halfAMinute, { show: Effect.succeed, key: null })
    )

    yield* runs.start(held)
    const endedByStart = yield* isOver(waiting)
    yield* runs.finish({ ...held, outcome: { _tag: "Completed", result: null } })

    assert.isFalse(endedByStart)
    assert.strictEqual((yield* Fiber.join(waiting)).status, "completed")
  })

  test("answers when the execution awaits input", function* () {
    const tenant = yield* makeTenant()
    const { execution, held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    const waiting = yield* parked(
      (yield* Executions).awaitNews(execution, halfAMinute, { show: Effect.succeed, key: null })
    )

    yield* (yield* Runs).ask({ ...held, question: newQuestion() })

    assert.strictEqual((yield* Fiber.join(waiting)).status, "awaiting_input")
  })

  test("answers at once when there is nothing to wait for", function* () {
    const executions = yield* Executions
    const execution = yield* makeExecution(yield* makeTenant())
    yield* executions.stop({ ...execution, to: "aborted", reason: null })

    const { status } = yield* executions.awaitNews(execution, halfAMinute, {
      show: Effect.succeed,
      key: null
    })

    assert.strictEqual(status, "aborted")
  })

  test.each([
    { wait: Duration.seconds(12), end: Duration.seconds(12), what: "the time asked for" },
    { wait: Duration.hours(1), end: Duration.seconds(60), what: "the longest time allowed" }
  ])("answers with things as they are after $what", function* ({ wait, end }) {
    const execution = yield* makeExecution(yield* makeTenant())
    const waiting = yield* parked(
      (yield* Executions).awaitNews(execution, wait, { show: Effect.succeed, key: null })
    )

    yield* TestClock.adjust(Duration.subtract(end, Duration.millis(1)))
    const isEarly = yield* isOver(waiting)
    yield* TestClock.adjust("1 millis")

    assert.isFalse(isEarly)
    assert.strictEqual((yield* Fiber.join(waiting)).status, "queued")
  })

  test("answers when the service is about to stop, and never waits from then on", function* () {
    const [draining, executions] = [yield* Draining, yield* Executions]
    const execution = yield* makeExecution(yield* makeTenant())
    const waiting = yield* parked(
      executions.awaitNews(execution, halfAMinute, { show: Effect.succeed, key: null })
    )

    yield* draining.begin

    assert.strictEqual((yield* Fiber.join(waiting)).status, "queued")
    assert.strictEqual(
      (yield* executions.awaitNews(execution, halfAMinute, { show: Effect.succeed, key: null })).status,
      "queued"
    )
  })

  test.each([
    { how: "revoked", end: (ref: ApiKeyRef) => Effect.flatMap(ApiKeys, (keys) => keys.revoke(ref)) },
    {
      how: "replaced without an overlap",
      end: (ref: ApiKeyRef) => Effect.flatMap(ApiKeys, (keys) => keys.rotate(ref, Duration.zero))
    },
    { how: "over", end: () => TestClock.adjust("10 seconds") }
  ])("fails as soon as the key that waits is $how", function* ({ end }) {
    const { caller, ...tenant } = yield* makeTenant()
    const { key, record } = yield* (yield* ApiKeys).create(newKey(caller, { expiresAt: second(7) }))
    const authentication = yield* Authentication
    const execution = yield* makeExecution({ ...tenant, caller })
    const opensUntil = Effect.map(authentication.apiKey(key), ({ expiresAt }) => expiresAt)
    const waiting = yield* parked(
      (yield* Executions).awaitNews(execution, halfAMinute, {
        show: Effect.succeed,
        key: { id: record.id, opensUntil }
      })
    )

    yield* end(record)

    assert.isTrue(yield* isOver(waiting))
    assert.strictEqual((yield* Effect.flip(Fiber.join(waiting)))._tag, "Unauthorized")
  })

  test("fails when there is no such execution in the account", function* () {
    const { id } = yield* makeExecution(yield* makeTenant())
    const { accountId } = (yield* makeTenant()).caller

    const error = yield* Effect.flip(
      (yield* Executions).awaitNews({ accountId, id }, halfAMinute, { show: Effect.succeed, key: null })
    )

    assert.strictEqual(error._tag, "ExecutionNotFound")
  })
})

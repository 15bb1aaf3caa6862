import { assert, describe } from "@effect/vitest"
import { allDead } from "@runhook/core/replays/ReplayJob"
import { Signals } from "@runhook/core/signals/Signals"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Deliveries } from "@runhook/core/deliveries/Deliveries"
import { Executions } from "@runhook/core/executions/Executions"
import { Replays } from "@runhook/core/replays/Replays"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { Runs } from "@runhook/core/runs/Runs"
import { Tasks } from "@runhook/core/catalog/Tasks"
import { anyDelivery } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, makeStartedRun } from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTask, makeTenant, newKey } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { follow, heardBy, toldOf } from "./Following.ts"

describe("Who follows an account", () => {
  test("is told what becomes of executions and their callbacks", function* () {
    const [executions, runs] = [yield* Executions, yield* Runs]
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const fields = { callbackUrl: "https://hooks.example.com/in" }

    const created = yield* toldOf(accountId, makeExecution(tenant, fields))
    const stopped = yield* toldOf(
      accountId,
      executions.stop({ ...created.result, to: "aborted", reason: null })
    )
    const runner = yield* makeRunner(tenant)
    const started = yield* makeStartedRun(tenant, runner)
    const outcome = { _tag: "Completed", result: null } as const
    const finished = yield* toldOf(accountId, runs.finish({ ...started.held, outcome }))
    const left = yield* toldOf(accountId, runs.close(tenant.runnerKey, runner.sessionId))

    assert.deepStrictEqual(created.words, ["execution queued new", "delivery pending new"])
    assert.deepStrictEqual(stopped.words, ["execution aborted", "delivery pending new"])
    assert.deepStrictEqual(finished.words, ["execution completed"])
    assert.deepStrictEqual(left.words, ["many agent"])
  })

  test("is told what operators change, and that their log tells of it", function* () {
    const [agents, keys, runnerKeys, tasks] = [yield* Agents, yield* ApiKeys, yield* RunnerKeys, yield* Tasks]
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const told = <A, E, R>(done: Effect.Effect<A, E, R>) =>
      Effect.map(toldOf(accountId, done), ({ words }) => words)
    const agent = { accountId, id: tenant.agent.id }
    const task = { accountId, taskId: tenant.task.id }
    const version = { paramsSchema: {}, resultSchema: null, tags: ["beta"], makeCurrent: false }
    const versionId = tenant.version.id
    const overlap = Duration.hours(1)

    assert.deepStrictEqual(yield* told(agents.update(agent, { state: "paused" })), [
      "many audit",
      "agent paused"
    ])
    assert.deepStrictEqual(yield* told(agents.remove(agent)), ["many audit", "agent removed"])
    assert.deepStrictEqual(yield* told(makeTask({ accountId }, { slug: "other" })), [
      "many audit",
      "task null new"
    ])
    for (const words of [
      yield* told(tasks.update(task, { name: "Other" })),
      yield* told(tasks.publish(task, version)),
      yield* told(tasks.moveTag({ ...task, name: "stable", versionId })),
      yield* told(tasks.removeTag({ ...task, name: "stable" })),
      yield* told(tasks.setCurrent({ ...task, versionId }))
    ]) {
      assert.deepStrictEqual(words, ["many audit", "task null"])
    }

    const key = yield* toldOf(accountId, keys.create(newKey({ accountId })))
    assert.deepStrictEqual(key.words, ["many audit", "key active new"])
    const ref = { accountId, id: key.result.record.id }
    for (const words of [
      yield* told(keys.update(ref, { name: "Other" })),
      yield* told(keys.rotate(ref, overlap)),
      yield* told(keys.rotateSigningSecret(ref, { mode: "staged", overlap }))
    ]) {
      assert.deepStrictEqual(words, ["many audit", "key active"])
    }
    assert.deepStrictEqual(yield* told(keys.revoke(ref)), ["many audit", "key revoked"])
    const runnerKey = yield* toldOf(
      accountId,
      runnerKeys.create({ accountId, name: "Cellar", agentIds: null })
    )
    assert.deepStrictEqual(runnerKey.words, ["many audit", "key active new"])
    assert.deepStrictEqual(yield* told(runnerKeys.revoke({ accountId, id: runnerKey.result.record.id })), [
      "many audit",
      "key revoked"
    ])
  })

  test("is told of tests, and of replays batch by batch", function* () {
    const [deliveries, replays] = [yield* Deliveries, yield* Replays]
    const { caller } = yield* makeTenant()
    const { accountId, id: apiKeyId } = caller
    const callbackUrl = "https://hooks.example.com/in"
    const filter = { ...anyDelivery, ...allDead }

    const tested = yield* toldOf(
      accountId,
      deliveries.test({ accountId, apiKeyId, callbackUrl, requestId: "req_test" })
    )
    const begun = yield* toldOf(accountId, replays.begin(accountId, filter))
    const carriedOut = yield* toldOf(accountId, Layer.build(Replays.layerLoop))

    assert.deepStrictEqual(tested.words, ["delivery pending new"])
    assert.deepStrictEqual(begun.words, ["replay running new"])
    assert.deepStrictEqual(carriedOut.words, ["many delivery", "replay completed"])
  })

  test("hears nothing of other accounts", function* () {
    const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
    const following = yield* follow(tenant.caller.accountId)

    yield* makeExecution(other)
    yield* makeExecution(tenant)

    assert.deepStrictEqual((yield* heardBy(following)).words, ["execution queued new"])
  })

  test("goes on behind what was read when it comes back in time, and is reset when it comes later", function* () {
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const { position } = yield* Effect.scoped(follow(accountId))
    yield* makeExecution(tenant)

    yield* TestClock.adjust("1 minute")
    const inTime = yield* follow(accountId, position)
    const missed = yield* heardBy(inTime)
    const unknown = yield* follow(accountId, "elsewhere-7")
    const anew = yield* heardBy(unknown)

    assert.deepStrictEqual([inTime.isResumed, unknown.isResumed], [true, false])
    assert.strictEqual(inTime.position, position)
    assert.deepStrictEqual(missed.words, ["execution queued new"])
    assert.deepStrictEqual(anew.words, ["reset"])
    assert.isTrue((yield* follow(accountId, anew.position)).isResumed)
  })

  test("is reset once nobody has followed for two minutes", function* () {
    const tenant = yield* makeTenant()
    const { position } = yield* Effect.scoped(follow(tenant.caller.accountId))

    yield* TestClock.adjust("3 minutes")

    assert.isFalse((yield* follow(tenant.caller.accountId, position)).isResumed)
  })

  test("is reset when signals were lost", function* () {
    const tenant = yield* makeTenant()
    const [one, other] = [yield* follow(tenant.caller.accountId), yield* follow(tenant.caller.accountId)]

    yield* (yield* Signals).notify(["anything"])

    assert.deepStrictEqual((yield* heardBy(one)).words, ["reset"])
    assert.deepStrictEqual((yield* heardBy(other)).words, ["reset"])
  })

  test("reads at its own pace: a second follower takes nothing away", function* () {
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const [quick, slow] = [yield* follow(accountId), yield* follow(accountId)]

    yield* makeExecution(tenant)
    const first = yield* heardBy(quick)
    yield* makeExecution(tenant)
    const second = yield* heardBy(quick)
    const both = yield* heardBy(slow)

    assert.deepStrictEqual([first.words.length, second.words.length], [1, 1])
    assert.strictEqual(both.words.length, 2)
  })
})

import { assert, describe } from "@effect/vitest"
import { type ActorKind, CurrentActor, theService } from "@runhook/core/audit/Actor"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { SecretKeyRotation } from "@runhook/core/keys/sealing/SecretKeyRotation"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { ServiceKeys } from "@runhook/core/Settings"
import { open } from "@runhook/core/signing/SecretBox"
import { createFingerprint } from "@runhook/core/signing/RequestFingerprint"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Executions, type RerunCall } from "@runhook/core/executions/Executions"
import { secretParamsPurpose } from "@runhook/core/executions/params/ParamSecrets"
import { Runs } from "@runhook/core/runs/Runs"
import { newRing } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, pollNow, startNext } from "@runhook/test-support/engine/Runner"
import {
  current,
  makeExecution,
  makeTenant,
  makeVersion,
  newCall,
  newKey
} from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { makeSchedule } from "../../schedules/Scheduled.ts"

const paramsSchema = {
  type: "object",
  properties: {
    user: { type: "string" },
    password: { type: "string", writeOnly: true },
    list: { type: "array", items: { properties: { token: { writeOnly: true } } } }
  }
}
const params = { user: "ada", password: "hunter2", list: [{ token: ["x1", null], n: 1 }, { n: 2 }] }
const shown = { user: "ada", password: "[secret]", list: [{ token: "[secret]", n: 1 }, { n: 2 }] }

const makeSecretiveTenant = () =>
  makeTenant({
    agent: { capacity: 20 },
    version: { paramsSchema },
    task: { maxAttempts: 2 }
  })

const failed = { _tag: "Failed", message: "no paper", isRetryable: true } as const

describe("Secret params", () => {
  test("are shown as a word, and given to the runner of each attempt as they are", function* () {
    const tenant = yield* makeSecretiveTenant()
    const runner = yield* makeRunner(tenant)
    const created = yield* makeExecution(tenant, { params })

    const first = yield* pollNow(runner)
    const held = { key: runner.key, id: created.id, epoch: 1 }
    yield* (yield* Runs).start(held)
    yield* (yield* Runs).finish({ ...held, outcome: failed })
    yield* TestClock.adjust("1 hour")
    const second = yield* pollNow(runner)

    assert.deepStrictEqual([created.params.value, (yield* current(created)).params.value], [shown, shown])
    const given = [...first.claims, ...second.claims].map((claim) => claim.params.value)
    assert.deepStrictEqual(given, [params, params])
    assert.notInclude(created.sealedParams, "hunter2")
  })

  test("are kept by a rerun, also by a version that calls nothing secret, and where it changes the rest", function* () {
    const executions = yield* Executions
    const tenant = yield* makeSecretiveTenant()
    const runner = yield* makeRunner(tenant)
    const { accountId, id } = yield* makeExecution(tenant, { params })
    yield* makeVersion(tenant.task)
    const rerun = { accountId, id, caller: tenant.caller, idempotencyKey: undefined, requestId: "req_1" }

    const same = yield* executions.rerun({ ...rerun, version: "same", params: undefined })
    const other = yield* executions.rerun({ ...rerun, version: "current", params: undefined })
    const changed = yield* executions.rerun({
      ...rerun,
      version: "same",
      params: { ...shown, user: "bob" }
    })

    const { claims } = yield* pollNow(runner, { freeSlots: 10 })
    const given = new Map(claims.map((claim) => [claim.run.execution.id, claim.params.value]))
    assert.deepStrictEqual(
      [same, other, changed].map(({ execution }) => [execution.params.value, given.get(execution.id)]),
      [
        [shown, params],
        [shown, params],
        [
          { ...shown, user: "bob" },
          { ...params, user: "bob" }
        ]
      ]
    )
  })

  test("are filled in for the key that gave them, for people, and beside the params of the original", function* () {
    const executions = yield* Executions
    const keys = yield* ApiKeys
    const tenant = yield* makeSecretiveTenant()
    const { accountId } = tenant.caller
    const { record: other } = yield* keys.create(newKey({ accountId }))
    const { record: third } = yield* keys.create(newKey({ accountId }))
    const runner = yield* makeRunner(tenant)
    const as = (kind: ActorKind, id: ApiKeyRecord["id"] | null) =>
      Effect.provideService(CurrentActor, { ...theService, kind, id })
    const rerun = Effect.fnUntraced(
      function* (id: ExecutionId, caller: ApiKeyRecord, asked: Partial<RerunCall>) {
        const call = { accountId, id, caller, idempotencyKey: undefined, requestId: "req_1" }
        const made = yield* executions.rerun({ ...call, version: "same", params: undefined, ...asked })
        return made.execution.id
      },
      (rerunning, _, caller) => as("key", caller.id)(rerunning)
    )
    const elsewhere = { ...shown, user: "eve" }
    const refusedTo = (caller: ApiKeyRecord, id: ExecutionId, asked: JsonObject = elsewhere) =>
      Effect.map(Effect.flip(rerun(id, caller, { params: asked })), ({ message }) => message)
    const { id } = yield* makeExecution(tenant, { params }).pipe(as("key", tenant.caller.id))

    const same = yield* rerun(id, other, { params: shown })
    const copy = yield* rerun(same, third, {})
    yield* makeVersion(tenant.task, {
      paramsSchema: {
        type: "object",
        properties: { list: { writeOnly: true }, user: { type: "string" } }
      }
    })
    const wider = yield* rerun(copy, third, { version: "current" })
    const refusals = [
      yield* refusedTo(other, id),
      yield* refusedTo(other, id, { password: "[secret]" }),
      yield* refusedTo(other, id, { ...shown, password: "new", more: 1 }),
      yield* refusedTo(other, same),
      yield* refusedTo(third, copy),
      yield* refusedTo(third, wider, { ...elsewhere, password: "new", list: "[secret]" })
    ]
    const own = yield* rerun(copy, tenant.caller, { params: elsewhere })
    const anew = yield* rerun(id, other, { params: { user: "eve", password: "own" } })
    const ofAnew = yield* rerun(anew, other, { params: { user: "bob", password: "[secret]" } })
    const byPerson = yield* executions
      .rerun({
        accountId,
        id,
        caller: other,
        version: "same",
        params: elsewhere,
        idempotencyKey: undefined,
        requestId: "req_1"
      })
      .pipe(as("member", null))
    const ofPersons = yield* refusedTo(other, byPerson.execution.id, { ...shown, user: "bob" })

    const places = refusals.map((message) => message.split(":")[0])
    assert.deepStrictEqual(places, [
      "params.password",
      "params.password",
      "params.list.0.token",
      "params.password",
      "params.password",
      "params.list"
    ])
    assert.match(ofPersons, /^params\.password: is a secret that another key gave: give it anew/)
    const { claims } = yield* pollNow(runner, { freeSlots: 20 })
    const given = new Map(claims.map((claim) => [claim.run.execution.id, claim.params.value]))
    assert.deepStrictEqual(
      [same, copy, wider, own, anew, ofAnew, byPerson.execution.id].map((each) => given.get(each)),
      [
        params,
        params,
        params,
        { ...params, user: "eve" },
        { user: "eve", password: "own" },
        { user: "bob", password: "own" },
        { ...params, user: "eve" }
      ]
    )
  })

  test("are refused where they are the word that answers show", function* () {
    const tenant = yield* makeSecretiveTenant()

    const refusal = yield* Effect.flip(makeExecution(tenant, { params: { list: [{ token: "[secret]" }] } }))

    assert.deepInclude(refusal, { _tag: "InvalidField", path: ["params", "list", "0", "token"] })
  })

  test("are refused to a schedule, which would keep them in the open", function* () {
    const tenant = yield* makeSecretiveTenant()
    yield* makeSchedule(tenant, {}, { params: { user: "ada" } })

    const refusal = yield* Effect.flip(makeSchedule(tenant, {}, { params }))

    assert.deepInclude(refusal, { _tag: "InvalidField", path: ["execution", "params", "password"] })
  })

  test("tell equal requests under one key from others, without a hash of them alone", function* () {
    const executions = yield* Executions
    const store = yield* ExecutionStore
    const tenant = yield* makeSecretiveTenant()
    const call = { ...newCall(tenant, { params }), idempotencyKey: "order-7" }

    const first = yield* executions.create(call)
    const again = yield* executions.create(call)
    const other = { ...params, password: "hunter3" }
    const conflict = yield* Effect.flip(
      executions.create({ ...newCall(tenant, { params: other }), idempotencyKey: "order-7" })
    )
    const guessed = yield* Effect.flip(
      store.findDuplicate({
        accountId: tenant.caller.accountId,
        apiKeyId: tenant.caller.id,
        key: "order-7",
        fingerprint: createFingerprint(call.request),
        at: first.execution.createdAt
      })
    )

    assert.deepStrictEqual([again.isDuplicate, again.execution.id], [true, first.execution.id])
    assert.strictEqual(conflict._tag, "IdempotencyConflict")
    assert.strictEqual(guessed._tag, "IdempotencyConflict")
  })

  test("are sealed anew when the secret key was replaced, and open without the older one", function* () {
    const tenant = yield* makeSecretiveTenant()
    const execution = yield* makeExecution(tenant, { params })
    const under = (ring: typeof newRing) => Layer.succeed(ServiceKeys, ring)

    const pass = SecretKeyRotation.use((rotation) => rotation.pass).pipe(
      Effect.provide(Layer.fresh(SecretKeyRotation.layer).pipe(Layer.provide(under(newRing))))
    )
    const { broken } = yield* pass
    const { sealedParams } = yield* current(execution)
    const opened = open([newRing[0]], { purpose: secretParamsPurpose, id: execution.id }, sealedParams ?? "")

    assert.strictEqual(broken, 0)
    assert.include(Result.getOrThrow(opened), "hunter2")
  })

  test("cost nothing where there are none", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const execution = yield* makeExecution(tenant)

    yield* startNext(runner)

    assert.isNull(execution.sealedParams)
  })
})

import { assert, describe } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { integrationClient, refusalOf, test } from "../Service.ts"
import { makeTenant } from "../Tenant.ts"

const everyAgent = { query: {} }

describe("the keys of an account, over the wire", () => {
  test("show their secrets in the answer that makes them, and never again", function* () {
    const { admin, key, params, runnerKey } = yield* makeTenant()
    const named = { params: { ...params, key_id: key.id } }

    const shown = yield* Effect.all([
      admin.keys.get(named),
      admin.keys.list({ params, query: {} }),
      admin.keys.update({ ...named, payload: { name: "Renamed" } }),
      admin.runnerKeys.list({ params, query: {} })
    ])

    assert.match(key.key, /^rhlive_/)
    assert.match(key.signing_secret, /^whsec_/)
    assert.match(runnerKey.key, /^rhrun_/)
    for (const secret of [key.key, key.signing_secret, runnerKey.key]) {
      assert.notInclude(JSON.stringify(shown), secret)
    }
  })

  test("say which signing secrets they have, from when and until when", function* () {
    const { admin, key, params } = yield* makeTenant()
    const named = { params: { ...params, key_id: key.id } }

    const staged = yield* admin.keys.rotateSigningSecret({
      ...named,
      payload: { mode: "staged", overlap_seconds: 3_600 }
    })
    const during = yield* admin.keys.get(named)
    yield* TestClock.adjust("90 minutes")
    const { data } = yield* admin.keys.list({ params, query: {} })

    const next = { active_at: staged.active_at, expires_at: null }
    const old = { active_at: key.created_at, expires_at: staged.previous_expires_at }
    assert.deepStrictEqual(key.signing_secrets, [
      { state: "active", active_at: key.created_at, expires_at: null }
    ])
    assert.deepStrictEqual(during.signing_secrets, [
      { state: "active", ...old },
      { state: "staged", ...next }
    ])
    assert.deepStrictEqual(data[0]?.signing_secrets, [
      { state: "active", ...next },
      { state: "previous", ...old }
    ])
  })

  test("may do everything unless their maker says otherwise", function* () {
    const { key } = yield* makeTenant()

    assert.deepInclude(key, {
      allowed_task_ids: null,
      allowed_agent_ids: null,
      capabilities: null,
      max_live: null,
      rate_limit: null,
      expires_at: null
    })
  })

  test("are changed in the fields that are given, and in no others", function* () {
    const { admin, agent, params } = yield* makeTenant()
    const before = yield* admin.keys.create({
      params,
      payload: {
        name: "Narrow",
        allowed_agent_ids: [agent.id],
        max_live: 5,
        rate_limit: { per_second: 2, burst: 3 }
      }
    })
    const named = { params: { ...params, key_id: before.id } }

    const { request_id: _, ...after } = yield* admin.keys.update({ ...named, payload: { max_live: null } })

    const { key: _key, request_id: _id, signing_secret: _secret, ...kept } = before
    assert.deepStrictEqual(after, { ...kept, max_live: null, updated_at: after.updated_at })
  })

  test("are accepted for a day after they were replaced", function* () {
    const { admin, integration, key, params } = yield* makeTenant()
    const at = yield* DateTime.now

    const rotated = yield* admin.keys.rotate({ params: { ...params, key_id: key.id }, payload: null })

    const renewed = yield* integrationClient(rotated.key)
    assert.deepStrictEqual(rotated.previous_expires_at, DateTime.add(at, { days: 1 }))
    yield* integration.agents.list(everyAgent)
    yield* renewed.agents.list(everyAgent)
    yield* TestClock.adjust("1 day")
    assert.strictEqual((yield* refusalOf(integration.agents.list(everyAgent))).code, "unauthorized")
    yield* renewed.agents.list(everyAgent)
  })

  test("open nothing once they are revoked, and stay listed", function* () {
    const { admin, integration, key, params } = yield* makeTenant()

    yield* admin.keys.revoke({ params: { ...params, key_id: key.id } })

    const { data } = yield* admin.keys.list({ params, query: {} })
    assert.strictEqual((yield* refusalOf(integration.agents.list(everyAgent))).code, "unauthorized")
    assert.deepStrictEqual(
      data.map(({ id, revoked_at }) => ({ id, isRevoked: revoked_at !== null })),
      [{ id: key.id, isRevoked: true }]
    )
  })

  test.each([
    ["immediate", 0, 0],
    ["staged", 60, 120]
  ] as const)("replace a signing secret: %s", function* ([mode, activeAfter, endsAfter]) {
    const { admin, key, params } = yield* makeTenant()
    const at = yield* DateTime.now

    const rotated = yield* admin.keys.rotateSigningSecret({
      params: { ...params, key_id: key.id },
      payload: { mode, overlap_seconds: 60 }
    })

    assert.notStrictEqual(rotated.signing_secret, key.signing_secret)
    assert.deepStrictEqual(rotated.active_at, DateTime.add(at, { seconds: activeAfter }))
    assert.deepStrictEqual(rotated.previous_expires_at, DateTime.add(at, { seconds: endsAfter }))
  })

  test("get nothing new once they are revoked", function* () {
    const { admin, key, params } = yield* makeTenant()
    const named = { params: { ...params, key_id: key.id } }
    yield* admin.keys.revoke(named)

    const refusals = yield* Effect.all([
      refusalOf(admin.keys.rotate({ ...named, payload: null })),
      refusalOf(admin.keys.rotateSigningSecret({ ...named, payload: { mode: "immediate" } }))
    ])

    for (const { code, details, message } of refusals) {
      assert.deepStrictEqual([code, details], ["invalid_request", { reason: "revoked" }])
      assert.strictEqual(message, `The key ${key.id} is revoked: create another`)
    }
  })

  test("stay as they are when nothing has to be sealed anew", function* () {
    const { admin } = yield* makeTenant()

    const { newest_key, request_id: _, ...passed } = yield* admin.secretKeys.reseal()

    assert.match(newest_key, /^[0-9a-f]{16}$/)
    assert.deepStrictEqual(passed, { older_keys: [], resealed: 0, broken: 0 })
  })

  test("are not found under another account", function* () {
    const { admin, key, runnerKey } = yield* makeTenant()
    const { params } = yield* makeTenant()

    const refusals = yield* Effect.all([
      refusalOf(admin.keys.get({ params: { ...params, key_id: key.id } })),
      refusalOf(admin.keys.revoke({ params: { ...params, key_id: key.id } })),
      refusalOf(admin.keys.rotate({ params: { ...params, key_id: key.id }, payload: null })),
      refusalOf(admin.runnerKeys.revoke({ params: { ...params, key_id: runnerKey.id } }))
    ])

    assert.deepStrictEqual(
      refusals.map(({ code }) => code),
      ["not_found", "not_found", "not_found", "not_found"]
    )
  })
})

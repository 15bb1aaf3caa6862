import { assert, it } from "@effect/vitest"
import type { Json } from "@runhook/core/shared/json/Json"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { defaultRateLimits, RateLimits } from "../../src/limits/RateLimits.ts"
import { makeBrowser, makeBrowserOf } from "../Browser.ts"
import { errorOf, jsonOf, sending } from "../Hosts.ts"
import { adminClient, Host, service } from "../Service.ts"
import { makeExecution, makeTenant } from "../Tenant.ts"

const admin = "/api/v1/admin/accounts"

const json = (method: string, body: Json): RequestInit => ({ method, body: JSON.stringify(body) })

const asOperator = Effect.fnUntraced(function* (method: string, path: string, body: Json) {
  const send = yield* Host
  const { headers, ...init } = sending(method, JSON.stringify(body))
  return yield* send(path, { ...init, headers: { ...headers, authorization: `Bearer ${adminKey}` } })
})

it.layer(service)("what a member gives a key", (it) => {
  it.effect.each([
    [{ rate_limit: { per_second: 101, burst: 200 } }, "rate_limit.per_second", 100],
    [{ rate_limit: { per_second: 100, burst: 201 } }, "rate_limit.burst", 200],
    [{ max_live: 10_001 }, "max_live", 10_000]
  ] as const)(
    "is at most what the account has, for a new key and for an old one: %j",
    ([asked, field, limit]) =>
      Effect.gen(function* () {
        const { account, key } = yield* makeTenant()
        const { send } = yield* makeBrowser(account.id)
        const keys = `${admin}/${account.id}/keys`

        const answers = [
          yield* send(keys, json("POST", { name: "More", ...asked })),
          yield* send(`${keys}/${key.id}`, json("PATCH", asked))
        ]

        for (const answer of answers) {
          const { code, details, message } = yield* errorOf(answer)
          assert.deepStrictEqual([answer.status, code], [403, "forbidden"])
          assert.deepStrictEqual(details, { reason: "above_account_limit", field, limit })
          assert.include(message, `${field}: must be at most ${limit}`)
        }
        const most = { rate_limit: { per_second: 100, burst: 200 }, max_live: 10_000 }
        assert.strictEqual((yield* send(`${keys}/${key.id}`, json("PATCH", most))).status, 200)
      })
  )

  it.effect("may be more where an operator has given the account or one of its keys more", () =>
    Effect.gen(function* () {
      const { account, key } = yield* makeTenant()
      const { send } = yield* makeBrowser(account.id)
      const asked = { rate_limit: { per_second: 400, burst: 2_000 }, max_live: 20_000 }
      const path = `${admin}/${account.id}/keys/${key.id}`

      const before = yield* send(path, json("PATCH", asked))
      const given = yield* asOperator("POST", `${admin}/${account.id}/keys`, { name: "More", ...asked })
      const after = yield* send(path, json("PATCH", asked))
      const raised = yield* send(`${admin}`).pipe(Effect.flatMap(jsonOf))
      const back = { rate_limit: null, max_live: null }
      const lowered = yield* asOperator("PATCH", `${admin}/${account.id}`, back).pipe(Effect.flatMap(jsonOf))

      assert.deepStrictEqual([before.status, given.status, after.status], [403, 201, 200])
      assert.deepInclude(raised["data"], { ...pick(lowered), ...asked })
      assert.deepInclude(lowered, back)
      const more = { ...asked, max_live: 20_001 }
      const [same, another] = yield* Effect.forEach([asked, more], (limits) =>
        send(path, json("PATCH", limits))
      )
      assert.deepStrictEqual([same?.status, another?.status], [200, 403])
    })
  )

  it.effect("does not change the account, which only operators do", () =>
    Effect.gen(function* () {
      const { account } = yield* makeTenant()
      const { send } = yield* makeBrowser(account.id)

      const answer = yield* send(`${admin}/${account.id}`, json("PATCH", { max_live: 20_000 }))

      assert.deepStrictEqual((yield* errorOf(answer)).details, { reason: "role", required: "operator" })
    })
  )
})

const pick = ({ created_at, id, name, retention_days }: { readonly [key: string]: Json }) => ({
  id: id ?? null,
  name: name ?? null,
  created_at: created_at ?? null,
  retention_days: retention_days ?? null
})

const path = "/api/v1/integrations/executions/0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"

it.layer(service)("the limits of an account", (it) => {
  it.effect("hold all of its keys together, whatever each may, as soon as they are set", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const tenant = yield* makeTenant()
      const { admin: operator, params } = tenant
      const rate_limit = { per_second: 1_000, burst: 1_000 }
      const second = yield* operator.keys.create({ params, payload: { name: "Second", rate_limit } })
      const ask = (key: string) => send(path, { headers: { authorization: `Bearer ${key}` } })
      const before = yield* ask(second.key)

      yield* operator.accounts.update({ params, payload: { rate_limit: { per_second: 1, burst: 3 } } })
      const answers = yield* Effect.forEach([tenant.key, second, tenant.key, second], ({ key }) => ask(key))

      assert.strictEqual(before.headers.get("ratelimit-limit"), "1000")
      assert.deepStrictEqual(
        answers.map(({ headers, status }) => [status, headers.get("ratelimit-remaining")]),
        [
          [404, "2"],
          [404, "1"],
          [404, "0"],
          [429, "0"]
        ]
      )
      const [, , , refused] = answers
      const { details } = refused === undefined ? { details: null } : yield* errorOf(refused)
      assert.deepStrictEqual(details, { reason: "account_rate", limit: 3, retry_after_seconds: 1 })
    })
  )

  it.effect("are what a key sees of itself, where they are lower than its own", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const { account, admin: operator, key, params } = tenant
      const of = { params: { ...params, key_id: key.id } }
      const rate_limit = { per_second: 90, burst: 20 }
      const allowed_agent_ids = [tenant.agent.id]
      const before = yield* tenant.integration.key.me()
      yield* operator.keys.update({ ...of, payload: { rate_limit, max_live: 9, allowed_agent_ids } })
      yield* makeExecution(tenant)
      const own = yield* tenant.integration.key.me()
      const lower = { max_live: 4, rate_limit: { per_second: 50, burst: 30 } }
      yield* operator.accounts.update({ params, payload: lower })

      const after = yield* tenant.integration.key.me()

      assert.deepInclude(before, {
        key_id: key.id,
        name: "Back office",
        prefix: key.prefix,
        account_id: account.id,
        capabilities: null,
        allowed_task_ids: null,
        allowed_agent_ids: null,
        expires_at: null,
        live: 0,
        max_live: 10_000,
        rate_limit: { per_second: 20, burst: 200 },
        batch_rate_limit: { per_second: 20, burst: 500 }
      })
      assert.deepInclude(own, { allowed_agent_ids, live: 1, max_live: 9, rate_limit })
      assert.deepInclude(after, {
        live: 1,
        max_live: 4,
        rate_limit: { per_second: 50, burst: 20 },
        batch_rate_limit: { per_second: 50, burst: 500 }
      })
    })
  )

  it.effect("hold the unfinished executions of all of its keys", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      yield* tenant.admin.accounts.update({ params: tenant.params, payload: { max_live: 1 } })
      yield* makeExecution(tenant)

      const refused = yield* Effect.flip(makeExecution(tenant))

      assert.deepInclude("error" in refused ? refused.error : {}, {
        code: "concurrency_limit_reached",
        details: { scope: "account", limit: 1 }
      })
    })
  )
})

const slow = Layer.succeed(RateLimits, { ...defaultRateLimits, runner: { perSecond: 1, burst: 2 } })

it.layer(service.pipe(Layer.provide(slow)))("the rate of an account", (it) => {
  it.effect("holds runner keys too, with as many at once as one of them", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const tenant = yield* makeTenant()
      const { admin: operator, params } = tenant
      const other = yield* operator.runnerKeys.create({ params, payload: { name: "Attic" } })
      const ask = (key: string) =>
        send("/api/v1/runner/sessions/0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f", {
          method: "DELETE",
          headers: { authorization: `Bearer ${key}` }
        })
      yield* Effect.replicateEffect(ask(other.key), 2)

      const refused = yield* ask(tenant.runnerKey.key)

      assert.strictEqual(refused.status, 429)
      const { details } = yield* errorOf(refused)
      assert.deepStrictEqual(details, { reason: "account_rate", limit: 2, retry_after_seconds: 1 })
    })
  )
})

const few = Layer.succeed(RateLimits, { ...defaultRateLimits, admin: { perSecond: 1, burst: 3 } })

it.layer(service.pipe(Layer.provide(few)))("a person on the Integrations page", (it) => {
  it.effect("has one rate in an account, however many sessions they begin", () =>
    Effect.gen(function* () {
      const operator = yield* adminClient
      const account = yield* operator.accounts.create({ payload: { name: "Acme" } })
      const first = yield* makeBrowser(account.id)
      const second = yield* makeBrowserOf(first, account.id)
      const other = yield* makeBrowser(account.id)
      const ask = ({ send }: typeof first) => send(`${admin}/${account.id}/agents`)
      yield* Effect.forEach([first, second], ask)
      // The account then has three requests again, and the person one.
      yield* TestClock.adjust("1 second")

      const answers = yield* Effect.forEach([first, second, other], ask)

      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 429, 200]
      )
    })
  )
})

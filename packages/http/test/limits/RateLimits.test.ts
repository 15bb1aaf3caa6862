import { assert, it } from "@effect/vitest"
import { ExecutionLimits } from "@runhook/core/Settings"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import { defaultRateLimits, refusalTurns } from "../../src/limits/RateLimits.ts"
import { errorOf, id, keys, makeKey, testHostWith } from "../Hosts.ts"
import { Host, service, Waiting } from "../Service.ts"
import { makeExecution, makeSession, makeTenant } from "../Tenant.ts"

const asking = (key: string, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers }
})

const limitOf = ({ headers }: Response) => headers.get("ratelimit-limit")

it.layer(service)("the rate of a key is told", (it) => {
  it.effect("with every answer to a valid key of each API, whatever becomes of the request", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const tenant = yield* makeTenant()
      const execution = yield* makeExecution(tenant)
      const integration = "/api/v1/integrations/executions"
      const runner = "/api/v1/runner"
      const admin = "/api/v1/admin/accounts"
      const requests: ReadonlyArray<
        readonly [status: number, path: string, key: string, init?: RequestInit]
      > = [
        [200, integration, tenant.key.key],
        [200, `${integration}/${execution.execution_id}`, tenant.key.key],
        [400, `${integration}?limit=0`, tenant.key.key],
        [400, `${integration}/not-a-uuid`, tenant.key.key],
        [404, `${integration}/${id}`, tenant.key.key],
        [404, `${integration}/${id}/files/${id}`, tenant.key.key],
        [406, integration, tenant.key.key, { headers: { accept: "text/html" } }],
        [413, integration, tenant.key.key, { method: "POST", body: "x".repeat(2_000_000) }],
        [
          415,
          integration,
          tenant.key.key,
          { method: "POST", body: "x", headers: { "content-type": "text/plain" } }
        ],
        [422, integration, tenant.key.key, { method: "POST", body: "{}" }],
        [400, `${runner}/sessions`, tenant.runnerKey.key, { method: "POST", body: "{}" }],
        [404, `${runner}/sessions/${id}`, tenant.runnerKey.key, { method: "DELETE" }],
        [200, admin, adminKey],
        [400, `${admin}?limit=0`, adminKey],
        [404, `${admin}/${id}/agents`, adminKey]
      ]

      const answers = yield* Effect.forEach(requests, ([, path, key, init]) => send(path, asking(key, init)))

      assert.deepStrictEqual(
        answers.map((answer) => [answer.status, limitOf(answer)]),
        requests.map(([status, , key]) => [
          status,
          key === adminKey ? "500" : key === tenant.runnerKey.key ? "1000" : "200"
        ])
      )
    })
  )

  it.effect("and enforced for runners and operators", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const { runnerKey } = yield* makeTenant()
      const calls = [
        {
          path: `/api/v1/runner/sessions/${id}`,
          key: runnerKey.key,
          init: { method: "DELETE" },
          burst: 1_000
        },
        { path: `/api/v1/admin/accounts/${id}/agents`, key: adminKey, init: {}, burst: 500 }
      ]

      for (const { burst, init, key, path } of calls) {
        const left = Number((yield* send(path, asking(key, init))).headers.get("ratelimit-remaining"))
        const answers = yield* Effect.replicateEffect(send(path, asking(key, init)), left)
        const refused = yield* send(path, asking(key, init))

        assert.isBelow(left, burst)
        assert.isFalse(answers.some(({ status }) => status === 429))
        assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "1"])
        assert.strictEqual((yield* errorOf(refused)).code, "rate_limited")
      }
    })
  )
})

it.layer(service)("a long wait", (it) => {
  it.effect("is answered 401 once the key that waits is revoked", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const tenant = yield* makeTenant()
      const { session_id } = yield* makeSession(tenant)
      const { execution_id } = yield* makeExecution(tenant)
      const drained = { session_id, claim_id: "claim-1", free_slots: 0, wait_ms: 20_000 }
      const waiting = yield* Queue.clear(yield* Waiting).pipe(
        Effect.andThen(
          Effect.all(
            [
              send(`/api/v1/integrations/executions/${execution_id}?wait=30`, asking(tenant.key.key)),
              send(
                "/api/v1/runner/claims",
                asking(tenant.runnerKey.key, { method: "POST", body: JSON.stringify(drained) })
              )
            ],
            { concurrency: "unbounded" }
          )
        ),
        Effect.forkChild
      )
      yield* Queue.takeN(yield* Waiting, 2)

      yield* tenant.admin.keys.revoke({ params: { ...tenant.params, key_id: tenant.key.id } })
      yield* tenant.admin.runnerKeys.revoke({ params: { ...tenant.params, key_id: tenant.runnerKey.id } })

      const answers = yield* Fiber.join(waiting)
      assert.deepStrictEqual(
        yield* Effect.forEach(answers, (answer) =>
          Effect.map(errorOf(answer), ({ code }) => [answer.status, code])
        ),
        [
          [401, "unauthorized"],
          [401, "unauthorized"]
        ]
      )
    })
  )
})

it.layer(service)("a runner key", (it) => {
  it.effect("is refused its hundred and first session with 429, and told how many it may have", () =>
    Effect.gen(function* () {
      const { runner } = yield* makeTenant()
      const open = (instance_id: string) =>
        runner.runner.openSession({ payload: { instance_id, runner_name: "Cellar", capacity: 1 } })
      yield* Effect.forEach(
        Array.from({ length: 100 }, (_, instance) => `cellar-${instance}`),
        open
      )

      const refused = yield* Effect.flip(open("cellar-100"))

      assert.deepInclude("error" in refused ? refused.error : {}, {
        code: "concurrency_limit_reached",
        details: { scope: "runner_key", limit: 100 }
      })
      yield* open("cellar-99")
    })
  )
})

it.layer(keys)("a key that asks on and on", (it) => {
  it.effect("gets its refusals in turn, and holds up nobody with them", () =>
    Effect.gen(function* () {
      const send = yield* testHostWith({
        rateLimits: { ...defaultRateLimits, integration: { perSecond: 1, burst: 1 } }
      })
      const [{ key }, other] = [yield* makeKey(), yield* makeKey()]
      const ask = send("/api/test/me", asking(key))
      const atOnce = yield* Effect.replicateEffect(ask, refusalTurns.burst + 2)

      const later = yield* Effect.forkChild(ask, { startImmediately: true })
      const others = yield* send("/api/test/me", asking(other.key))

      assert.deepStrictEqual([...new Set(atOnce.map(({ status }) => status))], [200, 429])
      assert.strictEqual(others.status, 200)
      yield* TestClock.adjust(1_000 / refusalTurns.perSecond - 1)
      assert.isUndefined(later.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(later)).status, 429)
    })
  )
})

const unlimited = Layer.effect(
  ExecutionLimits,
  Effect.map(ExecutionLimits, (limits) => ({ ...limits, accountRateLimit: null }))
)

it.layer(keys.pipe(Layer.provide(unlimited)))("a service without limits", (it) => {
  it.effect("refuses nobody and tells no limit, except to keys that have their own", () =>
    Effect.gen(function* () {
      const send = yield* testHostWith({ rateLimits: { integration: null, runner: null, admin: null } })
      const free = yield* makeKey()
      const bound = yield* makeKey({ rateLimit: { perSecond: 1, burst: 1 } })

      const answers = yield* Effect.replicateEffect(send("/api/test/me", asking(free.key)), 250)
      const own = yield* Effect.replicateEffect(send("/api/test/me", asking(bound.key)), 2)

      assert.deepStrictEqual(new Set(answers.map((answer) => limitOf(answer))), new Set([null]))
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.deepStrictEqual(
        own.map(({ status }) => status),
        [200, 429]
      )
    })
  )
})

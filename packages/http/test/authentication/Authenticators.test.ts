import { assert, it } from "@effect/vitest"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { errorOf, jsonOf, keys, makeKey, testHost, testHostWith } from "../Hosts.ts"

const withKey = (key: string): RequestInit => ({ headers: { authorization: `Bearer ${key}` } })

it.layer(keys)("keys", (it) => {
  it.effect("open the API that they are for", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const { key, record } = yield* makeKey()

      const answer = yield* send("/api/test/me", withKey(key))

      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(yield* jsonOf(answer), { prefix: record.prefix })
    })
  )

  it.effect("are named in what they do, with the address that trusted proxies tell", () =>
    Effect.gen(function* () {
      const send = yield* testHostWith({ trustedProxies: 1 })
      const { key } = yield* makeKey({ name: "Back office" })
      const headers = { ...withKey(key).headers, "x-forwarded-for": "198.51.100.7" }

      const answer = yield* send("/api/test/actor", { headers }, "192.0.2.9")

      assert.deepStrictEqual(yield* jsonOf(answer), { name: "Back office", from_address: "198.51.100.7" })
    })
  )

  it.effect("that open nothing are all answered with the same 401", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const revoked = yield* makeKey()
      yield* Effect.flatMap(ApiKeys, (apiKeys) => apiKeys.revoke(revoked.record)).pipe(
        Effect.provideService(CurrentActor, theService)
      )
      const expired = yield* makeKey({ expiresAt: yield* DateTime.now })
      const { key } = yield* makeKey()
      const attempts: ReadonlyArray<RequestInit> = [
        {},
        { headers: { authorization: "" } },
        { headers: { authorization: "Bearer" } },
        { headers: { authorization: `Basic ${btoa("user:password")}` } },
        withKey("nonsense"),
        withKey(adminKey),
        withKey(`${key}0`),
        withKey(key.replace("rhlive", "rhrun")),
        withKey(`${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`),
        withKey(revoked.key),
        withKey(expired.key)
      ]

      const answers = yield* Effect.forEach(attempts, (attempt) => send("/api/test/me", attempt))

      const texts = yield* Effect.forEach(answers, anonymous)
      assert.lengthOf(new Set(texts), 1)
      assert.include(texts[0], `"code":"unauthorized"`)
      assert.include(texts[0], `"www-authenticate","Bearer"`)
    })
  )
})

it.layer(keys)("the rate of a key", (it) => {
  it.effect("is told with every answer", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const { key } = yield* makeKey({ rateLimit: { perSecond: 1, burst: 5 } })

      const answer = yield* send("/api/test/me", withKey(key))

      assert.strictEqual(answer.headers.get("ratelimit-limit"), "5")
      assert.strictEqual(answer.headers.get("ratelimit-remaining"), "4")
      assert.strictEqual(answer.headers.get("ratelimit-reset"), "1")
    })
  )

  it.effect("is the service's when the key has none", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const { key } = yield* makeKey()

      const answer = yield* send("/api/test/me", withKey(key))

      assert.strictEqual(answer.headers.get("ratelimit-limit"), "200")
    })
  )

  it.effect("is enforced with 429 and Retry-After, until that time has passed", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const { key } = yield* makeKey({ rateLimit: { perSecond: 1, burst: 1 } })
      yield* send("/api/test/me", withKey(key))

      const refused = yield* send("/api/test/me", withKey(key))
      yield* TestClock.adjust("1 second")
      const allowed = yield* send("/api/test/me", withKey(key))

      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "1")
      assert.strictEqual(refused.headers.get("ratelimit-remaining"), "0")
      assert.strictEqual((yield* errorOf(refused)).code, "rate_limited")
      assert.strictEqual(allowed.status, 200)
    })
  )
})

/** Everything about an answer but its request id. */
const anonymous = Effect.fnUntraced(function* (answer: Response) {
  const { message, code, details, request_id } = yield* errorOf(answer)
  const headers = JSON.stringify([...answer.headers]).replace(request_id, "")
  return JSON.stringify({ status: answer.status, message, code, details }) + headers
})

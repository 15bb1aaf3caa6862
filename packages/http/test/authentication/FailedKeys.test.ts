import { assert, it } from "@effect/vitest"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { generate } from "@runhook/core/signing/ApiKey"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Authentication } from "@runhook/core/keys/Authentication"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { failureLimit, lookUpPause, lookUpsMax } from "../../src/authentication/FailedKeys.ts"
import { errorOf, keys, makeKey, recordedLogs, testHost, testHostWith } from "../Hosts.ts"
import { sameHash } from "./SameHash.ts"

const path = "/api/test/me"

const withKey = (key: string, headers: Record<string, string> = {}): RequestInit => ({
  headers: { authorization: `Bearer ${key}`, ...headers }
})

/** A well-formed key that nobody has. */
const makeUnknownKey = () => Effect.map(Effect.provide(generate("live"), layerWebCrypto), ({ key }) => key)

type Send = Effect.Success<typeof testHost>

/** Presents so many keys that open nothing, each another one, and answers the statuses. */
const guess = Effect.fnUntraced(function* (send: Send, count: number, address: string) {
  const statuses = new Array<number>()
  for (let turn = 0; turn < count; turn++)
    statuses.push((yield* send(path, withKey(yield* makeUnknownKey()), address)).status)
  return statuses
})

it.layer(keys)("keys that open nothing", (it) => {
  it.effect("are refused with 429 when too many come from one address, and with 401 again later", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const statuses = yield* guess(send, failureLimit.burst, "192.0.2.1")
      const refused = yield* send(path, withKey(yield* makeUnknownKey()), "192.0.2.1")
      yield* TestClock.adjust("1 second")
      const later = yield* guess(send, failureLimit.perSecond + 1, "192.0.2.1")

      assert.deepStrictEqual(new Set(statuses), new Set([401]))
      const { code, details } = yield* errorOf(refused)
      assert.deepStrictEqual([refused.status, code], [429, "rate_limited"])
      assert.deepStrictEqual(details, { limit: failureLimit.burst, retry_after_seconds: 1 })
      assert.strictEqual(refused.headers.get("retry-after"), "1")
      assert.deepStrictEqual(later.slice(0, -1), Array(failureLimit.perSecond).fill(401))
      assert.strictEqual(later.at(-1), 429)
    })
  )

  it.effect("leave other addresses alone, but not those of the same IPv6 network", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      yield* guess(send, failureLimit.burst, "2001:db8:1:2::1")

      const statuses = yield* Effect.forEach(
        ["2001:db8:1:2:ffff::9", "2001:db8:1:3::1", "192.0.2.2", "::ffff:192.0.2.2"],
        (address) => Effect.map(guess(send, 1, address), ([status]) => status)
      )

      assert.deepStrictEqual(statuses, [429, 401, 401, 401])
    })
  )

  it.effect("never shut out a key that has opened something before", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const [known, revoked] = [yield* makeKey(), yield* makeKey()]
      yield* send(path, withKey(known.key), "192.0.2.3")
      yield* send(path, withKey(revoked.key), "192.0.2.3")
      yield* Effect.flatMap(ApiKeys, (apiKeys) => apiKeys.revoke(revoked.record)).pipe(
        Effect.provideService(CurrentActor, theService)
      )
      yield* guess(send, failureLimit.burst, "192.0.2.3")

      const statuses = yield* Effect.forEach([known, revoked], ({ key }) =>
        Effect.map(send(path, withKey(key), "192.0.2.3"), ({ status }) => status)
      )

      assert.deepStrictEqual(statuses, [200, 401])
    })
  )

  it.effect("are looked up one at a time, with pauses, once there were too many", () =>
    Effect.gen(function* () {
      const authentication = yield* Authentication
      const looking = { count: 0, now: 0, most: 0 }
      const send = yield* testHost.pipe(
        Effect.provideService(Authentication, {
          ...authentication,
          apiKey: (key) =>
            Effect.gen(function* () {
              looking.count += 1
              looking.most = Math.max(looking.most, ++looking.now)
              yield* Effect.yieldNow
              looking.now -= 1
              return yield* authentication.apiKey(key)
            })
        })
      )
      yield* guess(send, failureLimit.burst, "192.0.2.4")
      looking.count = looking.most = 0
      const guessing = yield* Effect.forkChild(
        Effect.forEach(Array(lookUpsMax + 9), () => guess(send, 1, "192.0.2.4"), {
          concurrency: "unbounded"
        }),
        { startImmediately: true }
      )

      yield* TestClock.adjust(10 * lookUpPause)
      const inTen = looking.count
      yield* TestClock.adjust((lookUpsMax - 10) * lookUpPause)

      assert.deepStrictEqual([inTen, looking.most], [11, 1])
      assert.deepStrictEqual(new Set((yield* Fiber.join(guessing)).flat()), new Set([429]))
      assert.strictEqual(looking.count, lookUpsMax + 1)
    })
  )

  it.effect("keep out no valid key that was not presented before, however many come beside it", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const { key } = yield* makeKey()
      yield* guess(send, failureLimit.burst, "192.0.2.6")
      const guessing = yield* Effect.forkChild(
        Effect.forEach(Array(100), () => guess(send, 1, "192.0.2.6"), { concurrency: "unbounded" }),
        { startImmediately: true }
      )

      const calling = yield* Effect.forkChild(send(path, withKey(key), "192.0.2.6"), {
        startImmediately: true
      })
      yield* TestClock.adjust("1 second")

      assert.strictEqual((yield* Fiber.join(calling)).status, 200)
      yield* Fiber.join(guessing)
    })
  )

  it.effect(
    "are slowed down too if they have the hash of a valid key under a hash that all processes share",
    () =>
      Effect.gen(function* () {
        const send = yield* testHost
        const { key } = yield* makeKey()
        yield* send(path, withKey(key), "192.0.2.7")

        yield* guess(send, failureLimit.burst, "192.0.2.7")

        const statuses = yield* Effect.forEach(sameHash(key, 1), (each) =>
          Effect.map(send(path, withKey(each), "192.0.2.7"), ({ status }) => status)
        )

        assert.deepStrictEqual(statuses, [429])
      })
  )

  it.effect("count for a proxy that nobody has named, of which the log warns once an hour", () =>
    Effect.gen(function* () {
      const { layer, lines } = recordedLogs()
      const { key } = yield* makeKey()
      const forwarded = withKey(key, { "x-forwarded-for": "198.51.100.1" })
      const warnings = (send: Send, turns: number) =>
        Effect.gen(function* () {
          lines.length = 0
          for (let turn = 0; turn < turns; turn++) yield* send(path, forwarded, "192.0.2.8")
          return lines.filter((line) => line.includes("RUNHOOK_TRUST_PROXY")).length
        })
      const [untrusted, trusted] = yield* Effect.all([testHost, testHostWith({ trustedProxies: 1 })]).pipe(
        Effect.provide(layer)
      )

      const first = yield* warnings(untrusted, 3)
      yield* TestClock.adjust("1 hour")
      const later = yield* warnings(untrusted, 2)

      assert.deepStrictEqual([first, later, yield* warnings(trusted, 3)], [1, 1, 0])
    })
  )

  it.effect("count for a proxy that hides its callers, of which the log warns once an hour", () =>
    Effect.gen(function* () {
      const { layer, lines } = recordedLogs()
      const { key } = yield* makeKey()
      const send = yield* Effect.provide(testHostWith({ trustedProxies: 1 }), layer)
      const ask = (forwarded: string) =>
        send(path, withKey(key, { "x-forwarded-for": forwarded }), "192.0.2.8")

      yield* ask("unknown, 198.51.100.1:443")
      const none = lines.length
      yield* Effect.forEach(["198.51.100.1, unknown", "_hidden", "localhost"], ask)

      assert.strictEqual(none, 0)
      assert.lengthOf(
        lines.filter((line) => line.includes("such callers count as one")),
        1
      )
    })
  )

  it.effect("are counted by what trusted proxies say about whom they heard, and by no stranger's word", () =>
    Effect.gen(function* () {
      const forged = (turn: number) => ({ "x-forwarded-for": `198.51.100.${turn % 200}, 203.0.113.7` })
      const statusesOf = (send: Send) =>
        Effect.forEach(
          Array.from({ length: failureLimit.burst + 1 }, (_, turn) => turn),
          (turn) =>
            Effect.map(send(path, withKey("nonsense", forged(turn)), "192.0.2.5"), ({ status }) => status)
        )

      const untrusted = yield* statusesOf(yield* testHost)
      const oneProxy = yield* statusesOf(yield* testHostWith({ trustedProxies: 1 }))
      const twoProxies = yield* statusesOf(yield* testHostWith({ trustedProxies: 2 }))

      assert.deepStrictEqual(
        [untrusted, oneProxy, twoProxies].map((each) => each.at(-1)),
        [429, 429, 401]
      )
    })
  )
})

import { assert, it } from "@effect/vitest"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { responseLimits } from "../../src/limits/ResponseBudget.ts"
import { errorOf, keys, makeKey, testHost } from "../Hosts.ts"
import { listMillis } from "../TestApi.ts"

const { waitingMax, waitMax } = responseLimits.reading

const asking = (key: string): RequestInit => ({ headers: { authorization: `Bearer ${key}` } })

type Send = Effect.Success<typeof testHost>

/** Lists that are asked for at once, each as it is answered. */
const lists = (send: Send, key: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.forkChild(send("/api/test/list", asking(key)), { startImmediately: true })
  )

const answered = (asked: ReadonlyArray<Fiber.Fiber<Response>>) =>
  asked.filter((each) => each.pollUnsafe() !== undefined).length

/** A second key of the same account. */
const another = Effect.fnUntraced(
  function* ({ record }: Effect.Success<ReturnType<typeof makeKey>>) {
    const { key } = yield* (yield* ApiKeys).create({ ...record, name: "Another" })
    return Redacted.value(key)
  },
  Effect.provideService(CurrentActor, theService)
)

it.layer(keys)("the lists of an account", (it) => {
  it.effect(
    "are served one by one, whichever key asks, with a rest after each; others and small reads are not",
    () =>
      Effect.gen(function* () {
        const send = yield* testHost
        const [own, other] = [yield* makeKey(), yield* makeKey()]
        const asked = [...(yield* lists(send, own.key, 2)), ...(yield* lists(send, yield* another(own), 2))]
        const others = yield* lists(send, other.key, 1)

        const small = yield* send("/api/test/me", asking(own.key))
        assert.strictEqual(small.status, 200)
        const served: Array<number> = []
        for (let passed = 0; passed < 8; passed++) {
          yield* TestClock.adjust(listMillis)
          served.push(answered(asked))
        }

        assert.strictEqual(answered(others), 1)
        assert.deepStrictEqual(served, [1, 1, 2, 2, 3, 3, 4, 4])
        yield* Effect.forEach(asked, (each) => Fiber.join(each))
      })
  )

  it.effect("are refused when too many wait, or wait for too long", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const { key } = yield* makeKey({ rateLimit: { perSecond: 1_000, burst: 1_000 } })
      const asked = yield* lists(send, key, waitingMax + 1)
      yield* TestClock.adjust(listMillis / 2)

      const refused = yield* send("/api/test/list", asking(key))
      yield* TestClock.adjust(waitMax + listMillis)

      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "1"])
      const { code, details } = yield* errorOf(refused)
      assert.strictEqual(code, "rate_limited")
      assert.deepStrictEqual(details, {
        reason: "too_many_reads",
        limit: waitingMax,
        retry_after_seconds: 1
      })
      const statuses = (yield* Effect.forEach(asked, (each) => Fiber.join(each))).map(({ status }) => status)
      const served = statuses.filter((status) => status === 200).length
      // One of them begins at the last moment, or is refused.
      const inTime = waitMax / (2 * listMillis)
      assert.include([inTime, inTime + 1], served)
      assert.strictEqual(statuses.filter((status) => status === 429).length, statuses.length - served)
    })
  )
})

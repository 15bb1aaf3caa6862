import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as TokenBuckets from "../../src/limits/TokenBuckets.ts"

const limit = { perSecond: 2, burst: 3 }

/** Takes as often as it goes. */
const empty = (buckets: TokenBuckets.TokenBuckets, key: string, nowMillis: number): number => {
  let taken = 0
  while (taken < 100 && buckets.take(key, limit, nowMillis).isAllowed) taken++
  return taken
}

describe("a token bucket", () => {
  it("allows a burst, then refuses and says when to come back", () => {
    const buckets = TokenBuckets.make()

    assert.strictEqual(empty(buckets, "a", 0), 3)
    assert.deepStrictEqual(buckets.take("a", limit, 0), {
      isAllowed: false,
      limit: 3,
      remaining: 0,
      resetSeconds: 2,
      retrySeconds: 1
    })
  })

  it("refills with time, but never above its size", () => {
    const buckets = TokenBuckets.make()
    empty(buckets, "a", 0)

    assert.strictEqual(empty(buckets, "a", 500), 1)
    assert.strictEqual(empty(buckets, "a", 1_000_000), 3)
  })

  it("loses nothing when the clock is set back, as by the first exact reading of the database's", () => {
    const buckets = TokenBuckets.make()
    buckets.take("a", limit, 60_000)

    const later = [buckets.take("a", limit, 0), buckets.take("a", limit, 0), buckets.take("a", limit, 500)]

    assert.deepStrictEqual(
      later.map(({ remaining }) => remaining),
      [1, 0, 0]
    )
    assert.isTrue(later.every(({ isAllowed }) => isAllowed))
  })

  it("is not emptied by refused requests", () => {
    const buckets = TokenBuckets.make()
    empty(buckets, "a", 0)

    for (let at = 1; at < 500; at++) buckets.take("a", limit, at)

    assert.isTrue(buckets.take("a", limit, 500).isAllowed)
  })

  it("is each key's own", () => {
    const buckets = TokenBuckets.make()
    empty(buckets, "a", 0)

    assert.strictEqual(empty(buckets, "b", 0), 3)
  })

  it("obeys a lowered limit at once", () => {
    const buckets = TokenBuckets.make()
    buckets.take("a", { perSecond: 100, burst: 1_000 }, 0)

    assert.strictEqual(buckets.take("a", limit, 0).remaining, 2)
  })

  it("is forgotten when it is full again", () => {
    const buckets = TokenBuckets.make()
    for (let key = 0; key < 10_000; key++) buckets.take(`key ${key}`, limit, key)

    // Buckets fill up in half a second here, and a request comes every millisecond.
    assert.isAtMost(buckets.size(), 501)
  })

  it("shows what the next request would be answered, and takes nothing by it", () => {
    const buckets = TokenBuckets.make()
    buckets.take("a", limit, 0)

    const shown = [buckets.peek("a", limit, 0), buckets.peek("a", limit, 0)]

    assert.deepStrictEqual(shown[0], shown[1])
    assert.deepStrictEqual(buckets.take("a", limit, 0), shown[0])
  })

  it("is forgotten, of more than are kept, when it was used longest ago", () => {
    const buckets = TokenBuckets.make({ keysMax: 2 })
    for (const key of ["a", "b", "c"]) empty(buckets, key, 0)

    assert.strictEqual(buckets.size(), 2)
    assert.deepStrictEqual(
      ["c", "b", "a"].map((key) => buckets.peek(key, limit, 0).isAllowed),
      [false, false, true]
    )
  })

  it.prop(
    "never allows more than its size and its rate",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 })))],
    ([pauses]) => {
      const buckets = TokenBuckets.make()
      let at = 0
      let allowed = 0

      for (const pause of pauses) {
        at += pause
        if (buckets.take("a", limit, at).isAllowed) allowed++
      }

      assert.isAtMost(allowed, limit.burst + (at / 1000) * limit.perSecond)
    }
  )

  it("makes who owes wait for what it has had, and nobody else", () => {
    const buckets = TokenBuckets.make()
    const rate = { perSecond: 100, burst: 0 }

    assert.strictEqual(buckets.owe("a", rate, 0, 50), 0)

    assert.deepStrictEqual(
      [0, 400, 500].map((at) => buckets.waitOf("a", rate, at)),
      [500, 100, 0]
    )
    assert.strictEqual(buckets.waitOf("b", rate, 0), 0)
    assert.strictEqual(buckets.owe("a", rate, 0, 50), 500)
    assert.strictEqual(buckets.waitOf("a", rate, 0), 1_000)
  })

  it("lets who has had none lately have some at once", () => {
    const buckets = TokenBuckets.make()
    const rate = { perSecond: 100, burst: 100 }

    assert.deepStrictEqual([buckets.owe("a", rate, 0, 100), buckets.owe("a", rate, 0, 100)], [0, 0])

    assert.strictEqual(buckets.waitOf("a", rate, 0), 1_000)
    assert.strictEqual(buckets.waitOf("a", rate, 10_000), 0)
  })

  it("is forgotten when nothing is owed any more", () => {
    const buckets = TokenBuckets.make()
    for (let key = 0; key < 10_000; key++) buckets.owe(`key ${key}`, { perSecond: 2, burst: 0 }, key, 1)

    assert.isAtMost(buckets.size(), 501)
  })

  const Step = Schema.Struct({
    amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
    pause: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000 }))
  })

  it.prop("never gives more than its size and what the time allows", [Schema.Array(Step)], ([steps]) => {
    const buckets = TokenBuckets.make()
    const rate = { perSecond: 100, burst: 200 }
    let now = 0
    let given = 0
    for (const { amount, pause } of steps) {
      now += buckets.waitOf("a", rate, now)
      // What is taken at a turn may go beyond the size once; the next turn waits for it.
      assert.isAtMost(given, 200 + (now / 1_000) * 100 + 0.001)
      buckets.owe("a", rate, now, amount)
      given += amount
      now += pause
    }
  })
})

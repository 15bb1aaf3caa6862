import { assert, describe, it } from "vitest"
import type { Clock } from "../../src/call/Clock.ts"
import { Heartbeats } from "../../src/runner/Heartbeats.ts"
import type { Heartbeat, News } from "../../src/wire/Runner.ts"

const lease = { execution_id: "e-1", epoch: 1 }

/** A heart of a session with heartbeats each 15 s, on a clock that the test moves. */
const makeHeart = (answer: () => Promise<number>) => {
  let now = 0
  let planned: { readonly at: number; readonly act: () => void } | undefined
  const clock: Clock = {
    now: () => now,
    random: () => 0.5,
    after: (milliseconds, act) => {
      const plan = { at: now + milliseconds, act }
      planned = plan
      return () => {
        if (planned === plan) planned = undefined
      }
    },
    sleep: () => Promise.reject(new Error("a heart does not sleep"))
  }
  const beats: Array<{ readonly at: number; readonly body: Heartbeat }> = []
  const told: Array<News> = []
  const heart = new Heartbeats({
    clock,
    beat: async (body) => {
      beats.push({ at: now, body })
      return { leases: [{ execution_id: "e-1", lease_ms: await answer() }], commands: [], lost: [] }
    },
    tell: (news) => told.push(news)
  })
  heart.take({ type: "session", session_id: "s-1", heartbeat_ms: 15_000 })
  return {
    heart,
    beats,
    told,
    /** Moves the clock to the next beat, and lets it be answered. */
    next: async () => {
      if (planned === undefined) return
      const { act, at } = planned
      planned = undefined
      now = at
      act()
      await new Promise(setImmediate)
    }
  }
}

describe("a heart", () => {
  it("beats in the service's rhythm while there is a lease", async () => {
    const { beats, heart, next } = makeHeart(async () => 60_000)
    heart.take({ type: "hold", lease, lease_ms: 60_000 })

    await next()
    await next()
    heart.take({ type: "drop", lease })
    await next()

    assert.deepStrictEqual(
      beats.map(({ at }) => at),
      [15_000, 30_000]
    )
  })

  it("gathers progress for a second, and tells it once", async () => {
    const { beats, heart, next } = makeHeart(async () => 60_000)
    heart.take({ type: "hold", lease, lease_ms: 60_000 })
    heart.take({ type: "progress", lease, progress: { percent: 10 } })
    heart.take({ type: "progress", lease, progress: { percent: 20 } })

    await next()
    await next()

    const session_id = "s-1"
    assert.deepStrictEqual(beats, [
      { at: 1_000, body: { session_id, beats: [{ ...lease, progress: { percent: 20 } }] } },
      { at: 16_000, body: { session_id, beats: [lease] } }
    ])
  })

  it("gives a lease up when it ends without an answer, and not before", async () => {
    const { beats, heart, next, told } = makeHeart(() => Promise.reject(new Error("away")))
    heart.take({ type: "hold", lease, lease_ms: 20_000 })

    for (let rounds = 0; rounds < 100 && told.length === 0; rounds++) await next()

    assert.deepStrictEqual(told, [{ commands: [], lost: [lease] }])
    assert.strictEqual(beats.at(-1)?.at, 20_000)
    assert.isAbove(beats.length, 3)
  })

  it("leaves it to the service whether a lease that seems to be over is lost", async () => {
    const { heart, next, told } = makeHeart(async () => 60_000)
    heart.take({ type: "hold", lease, lease_ms: 1_000 })

    await next()

    assert.deepStrictEqual(told, [{ commands: [], lost: [] }])
  })

  it.each([Infinity, 1e300, Number.NaN, -1, 0])("keeps a lease that is said to live %d ms", async (said) => {
    const { beats, heart, next, told } = makeHeart(async () => said)
    heart.take({ type: "hold", lease, lease_ms: said })

    await next()
    await next()

    assert.deepStrictEqual(
      beats.map(({ at }) => at),
      [15_000, 30_000]
    )
    assert.deepStrictEqual(
      told.flatMap(({ lost }) => lost),
      []
    )
  })
})

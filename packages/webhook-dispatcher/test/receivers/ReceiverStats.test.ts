import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@runhook/core/domain/Ids"
import { concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import { ReceiverStats, rememberedMax } from "../../src/receivers/ReceiverStats.ts"

const accountId = AccountId.make("0190a8f0-0000-7000-8000-000000000000")

const named = (origin: string) => ({ accountId, origin })

describe("ReceiverStats", () => {
  it("takes a receiver that it has not heard of as one that begins", () => {
    const stats = new ReceiverStats()

    const { concurrency, failures } = stats.of(named("new"))

    assert.deepStrictEqual([concurrency.limit, failures], [concurrencyStart, 0])
  })

  it("keeps receivers apart", () => {
    const stats = new ReceiverStats()

    stats.record(named("bad"), "overloaded", 1_000)

    assert.deepStrictEqual([stats.of(named("bad")).failures, stats.of(named("good")).failures], [1, 0])
  })

  it("counts failures anew once a breaker opens or closes, and keeps the limit", () => {
    const stats = new ReceiverStats()
    stats.record(named("bad"), "overloaded", 1_000)

    stats.breakerMoved(named("bad"), null)

    const { concurrency, failures } = stats.of(named("bad"))
    assert.deepStrictEqual([concurrency.limit, failures], [2, 0])
  })

  it("tells the room of those that do not have the usual", () => {
    const stats = new ReceiverStats()
    stats.count(named("busy"), 1)
    stats.record(named("overloaded"), "overloaded", 1_000)
    stats.record(named("usual"), "accepted", 5_000)

    const rooms = stats.rooms(() => true, 256)

    assert.deepStrictEqual(
      rooms.map(({ origin, room }) => [origin, room]),
      [
        ["busy", 3],
        ["overloaded", 2]
      ]
    )
  })

  it("remembers those that have something in flight", () => {
    const stats = new ReceiverStats()
    stats.count(named("early"), 1)

    for (let other = 0; other < rememberedMax; other++) stats.record(named(`other ${other}`), "broken", 1_000)

    assert.deepStrictEqual([stats.of(named("early")).leased, stats.of(named("other 0")).failures], [1, 0])
  })

  it("forgets the receiver that it has not heard of for longest when there are too many", () => {
    const stats = new ReceiverStats()
    stats.record(named("early"), "broken", 1_000)
    stats.record(named("lively"), "broken", 1_000)
    for (let other = 2; other < rememberedMax; other++) stats.record(named(`other ${other}`), "broken", 1_000)
    stats.record(named("lively"), "broken", 1_000)

    stats.record(named("one more"), "broken", 1_000)

    assert.deepStrictEqual([stats.of(named("early")).failures, stats.of(named("lively")).failures], [0, 2])
  })

  it.each([
    { busy: 4, room: 63 },
    { busy: 16, room: 32 },
    { busy: 64, room: 16 }
  ])(
    "offers each of $busy busy receivers $room of a claim: what fits, or twice its share",
    ({ busy, room }) => {
      const stats = new ReceiverStats()
      const origins = Array.from({ length: busy }, (_, number) => named(`${number}`))
      for (const origin of origins) {
        stats.record(origin, "accepted", 10)
        stats.count(origin, 1)
      }

      const rooms = stats.rooms(() => true, 256).map((each) => each.room)

      assert.deepStrictEqual(
        rooms,
        origins.map(() => room)
      )
    }
  )
})

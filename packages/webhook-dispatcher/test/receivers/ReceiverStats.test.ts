import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@runhook/core/domain/Ids"
import { concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import { ReceiverStats, rememberedMax } from "../../src/receivers/ReceiverStats.ts"

const accountId = AccountId.make("0190a8f0-0000-7000-8000-000000000000")

const named = (origin: string) => ({ accountId, origin })

describe("ReceiverStats", () => {
  it("takes a receiver that it has not heard of as one that begins", () => {
    const memory = new ReceiverStats()

    const { concurrency, failures } = memory.of(named("new"))

    assert.deepStrictEqual([concurrency.limit, failures], [concurrencyStart, 0])
  })

  it("keeps receivers apart", () => {
    const memory = new ReceiverStats()

    memory.note(named("bad"), "overwhelmed")

    assert.deepStrictEqual([memory.of(named("bad")).failures, memory.of(named("good")).failures], [1, 0])
  })

  it("counts failures anew once a breaker opens or closes, and keeps the limit", () => {
    const memory = new ReceiverStats()
    memory.note(named("bad"), "overwhelmed")

    memory.switched(named("bad"), null)

    const { concurrency, failures } = memory.of(named("bad"))
    assert.deepStrictEqual([concurrency.limit, failures], [2, 0])
  })

  it("tells the room of those that do not have the usual", () => {
    const memory = new ReceiverStats()
    memory.count(named("busy"), 1)
    memory.note(named("overwhelmed"), "overwhelmed")
    memory.note(named("usual"), "well")

    const rooms = memory.rooms()

    assert.deepStrictEqual(
      rooms.map(({ origin, room }) => [origin, room]),
      [
        ["busy", 3],
        ["overwhelmed", 2]
      ]
    )
  })

  it("remembers those that have something in flight", () => {
    const memory = new ReceiverStats()
    memory.count(named("early"), 1)

    for (let other = 0; other < rememberedMax; other++) memory.note(named(`other ${other}`), "failing")

    assert.deepStrictEqual([memory.of(named("early")).inFlight, memory.of(named("other 0")).failures], [1, 0])
  })

  it("forgets the receiver that it has not heard of for longest when there are too many", () => {
    const memory = new ReceiverStats()
    memory.note(named("early"), "failing")
    memory.note(named("lively"), "failing")
    for (let other = 2; other < rememberedMax; other++) memory.note(named(`other ${other}`), "failing")
    memory.note(named("lively"), "failing")

    memory.note(named("one more"), "failing")

    assert.deepStrictEqual([memory.of(named("early")).failures, memory.of(named("lively")).failures], [0, 2])
  })
})

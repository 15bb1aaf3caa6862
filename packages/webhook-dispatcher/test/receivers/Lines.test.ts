import { assert, describe, it } from "@effect/vitest"
import { type Delivery, newDelivery } from "@runhook/core/domain/delivery/Delivery"
import { ApiKeyId, EventId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"
import type { Standing } from "../../src/LeasedDeliveries.ts"
import { Lines } from "../../src/receivers/Lines.ts"
import type { InFlightDelivery, Permit } from "../../src/receivers/Permit.ts"
import { anotherAccountId, aPermit, receiver } from "./Permits.ts"

const uuid = (number: number) => `00000000-0000-7000-8000-${number.toString().padStart(12, "0")}`

const aDelivery = (number: number, { receiver: { accountId } }: Permit): Delivery => {
  const id = EventId.make(uuid(number))
  const subject = { id, accountId, apiKeyId: ApiKeyId.make(uuid(0)), executionId: null, revision: null }
  const rest = { type: "webhook.test", url: "", requestId: "", reference: null, body: "" } as const
  return newDelivery({ ...subject, ...rest }, DateTime.makeUnsafe(0))
}

/** A delivery of that number. */
const inFlight = (
  number: number,
  given: Partial<Omit<InFlightDelivery, "behind" | "delivery">> & { readonly behind?: number } = {}
): InFlightDelivery => {
  const { behind, permit = aPermit(), probeOf = null } = given
  return {
    delivery: aDelivery(number, permit),
    permit,
    probeOf,
    behind: behind === undefined ? null : EventId.make(uuid(behind)),
    leasedAt: DateTime.makeUnsafe(0)
  }
}

/** Lines to receivers that get two at once, and what became of their deliveries, by number. */
const theLines = ({ places = 256 } = {}) => {
  const sent: Array<number> = []
  const back: Array<number> = []
  const standings = new Map<string, Standing>()
  const stale = new Set<InFlightDelivery>()
  const lines = new Lines({
    places,
    limitOf: () => 2,
    standingOf: ({ behind }) => (behind === null ? "free" : (standings.get(behind) ?? "waits")),
    isStale: (each) => stale.has(each),
    send: ({ delivery }) => sent.push(Number(delivery.id.slice(-12))),
    giveBack: ({ delivery }) => back.push(Number(delivery.id.slice(-12)))
  })
  const end = (each: InFlightDelivery, standing: Standing = "free") => {
    lines.answered(each, false)
    standings.set(each.delivery.id, standing)
    lines.ended(each)
  }
  return { back, end, lines, sent, stale }
}

describe("Lines", () => {
  it("send as many at once as a receiver gets, the others in their order as it answers", () => {
    const { lines, sent } = theLines()
    const four = [1, 2, 3, 4].map((number) => inFlight(number))
    for (const each of four) lines.join(each)
    const early = [...sent]

    for (const each of four.slice(0, 1)) lines.answered(each, false)

    assert.deepStrictEqual(
      [early, sent],
      [
        [1, 2],
        [1, 2, 3]
      ]
    )
  })

  it("hold up no receiver for another", () => {
    const { lines, sent } = theLines()
    for (const number of [1, 2, 3]) lines.join(inFlight(number))

    lines.join(inFlight(4, { permit: aPermit({ receiver: receiver(1) }) }))

    assert.deepStrictEqual(sent, [1, 2, 4])
  })

  it("let an event wait for the end of the one before it, and others of its receiver pass", () => {
    const { end, lines, sent } = theLines()
    const first = inFlight(1)
    lines.join(first)
    lines.join(inFlight(2, { behind: 1 }))
    lines.join(inFlight(3))
    const isAwaited = lines.isAwaited(first)
    lines.answered(first, false)
    const answered = [...sent]

    end(first)

    assert.deepStrictEqual(
      [isAwaited, lines.isAwaited(first), answered, sent],
      [true, false, [1, 3], [1, 3, 2]]
    )
  })

  it("give back what is behind an event that has not come to its end", () => {
    const { back, end, lines, sent } = theLines()
    const first = inFlight(1)
    lines.join(first)
    lines.join(inFlight(2, { behind: 1 }))

    end(first, "broken")

    assert.deepStrictEqual([sent, back], [[1], [2]])
  })

  it("give back what has waited too long, and send none of it meanwhile", () => {
    const { back, lines, sent, stale } = theLines()
    const [first, second, third, fourth] = [1, 2, 3, 4].map((number) => inFlight(number))
    for (const each of [first, second, third, fourth]) if (each !== undefined) lines.join(each)
    if (third !== undefined) stale.add(third)

    if (first !== undefined) lines.answered(first, false)
    lines.sweep()

    assert.deepStrictEqual([sent, back], [[1, 2, 4], [3]])
  })

  it("stop at once when the receiver has to be left alone, but for a probe, and go back when that is stored", () => {
    const { back, lines, sent } = theLines()
    const [first, second, third] = [inFlight(1), inFlight(2), inFlight(3)]
    for (const each of [first, second, third]) lines.join(each)
    lines.answered(first, true)
    lines.join(inFlight(4, { probeOf: 1 }))
    const early = [...back]

    lines.ended(first)

    assert.deepStrictEqual([sent, early, back], [[1, 2, 4], [], [3]])
  })

  it("leave places to the receivers of others: a quarter is all that an account has", () => {
    const { lines, sent } = theLines({ places: 8 })
    const other = { ...receiver(0), accountId: anotherAccountId }
    const mine = [1, 2, 3].map((number) =>
      inFlight(number, { permit: aPermit({ receiver: receiver(number) }) })
    )
    for (const each of mine) lines.join(each)

    lines.join(inFlight(4, { permit: aPermit({ receiver: other }) }))
    const early = [...sent]
    for (const each of mine.slice(0, 1)) lines.answered(each, false)

    assert.deepStrictEqual(
      [early, sent],
      [
        [1, 2, 4],
        [1, 2, 4, 3]
      ]
    )
  })

  it("serve receivers in turns while there are more than the process has places", () => {
    const { lines, sent } = theLines({ places: 1 })
    const of = (number: number) => inFlight(number, { permit: aPermit({ receiver: receiver(number % 2) }) })
    const all = [1, 3, 5, 2, 4].map(of)
    for (const each of all) lines.join(each)

    for (const number of [1, 3, 2, 5]) {
      const each = all.find(({ delivery }) => delivery.id === EventId.make(uuid(number)))
      if (each !== undefined) lines.answered(each, false)
    }

    assert.deepStrictEqual(sent, [1, 3, 2, 5, 4])
  })

  it("hold nothing any more once they are closed: what cannot be sent at once goes back", () => {
    const { back, lines, sent } = theLines()
    for (const number of [1, 2, 3]) lines.join(inFlight(number))
    lines.join(inFlight(4, { probeOf: 1, behind: 1 }))

    lines.close()
    lines.join(inFlight(5))
    lines.join(inFlight(6, { permit: aPermit({ receiver: receiver(1) }) }))

    assert.deepStrictEqual(
      [sent, back],
      [
        [1, 2, 6],
        [3, 4, 5]
      ]
    )
  })
})

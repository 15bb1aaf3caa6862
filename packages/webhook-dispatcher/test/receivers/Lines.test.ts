import { assert, describe, it } from "@effect/vitest"
import { LeasedDeliveries } from "../../src/LeasedDeliveries.ts"
import type { InFlight } from "../../src/receivers/Receiver.ts"
import { Lines } from "../../src/receivers/Lines.ts"
import { Receivers } from "../../src/receivers/Receivers.ts"
import { claim, type Given, inFlightTo, named, numberOf, ofAnother } from "./InFlights.ts"

/** Lines to receivers that get two at once, and what became of their deliveries, by number. */
const theLines = ({ places = 256 } = {}) => {
  const sent: Array<number> = []
  const back: Array<number> = []
  const stale = new Set<InFlight>()
  const waiting = { count: 0 }
  const receivers = new Receivers({ places, heldMax: 1_024 })
  const leased = new LeasedDeliveries(60_000)
  const lines = new Lines({
    places,
    receivers,
    leased,
    waiting,
    isStale: (each) => stale.has(each),
    send: (each) => sent.push(numberOf(each)),
    giveBack: (each) => back.push(numberOf(each))
  })
  /** Leases a delivery of that number, which waits for its turn. */
  const join = (number: number, given: Given & { readonly to?: typeof ofAnother } = {}): InFlight => {
    const receiver = receivers.at(given.to ?? named(0))
    receiver.concurrency = { limit: 2, successes: 0 }
    const inFlight = inFlightTo(receiver, { ...given, number })
    claim(receivers, [inFlight])
    leased.hold(inFlight)
    lines.join(inFlight)
    return inFlight
  }
  const end = (each: InFlight, isFinal = true) => {
    lines.answered(each, false)
    leased.ended(each, { at: 0, isFinal })
    lines.ended(each)
  }
  return { back, end, join, lines, receivers, sent, stale, waiting }
}

describe("Lines", () => {
  it("send as many at once as a receiver gets, the others in their order as it answers", () => {
    const { join, lines, sent } = theLines()
    const [first] = [1, 2, 3, 4].map((number) => join(number))
    const early = [...sent]

    if (first !== undefined) lines.answered(first, false)

    assert.deepStrictEqual(
      [early, sent],
      [
        [1, 2],
        [1, 2, 3]
      ]
    )
  })

  it("hold up no receiver for another", () => {
    const { join, sent } = theLines()
    for (const number of [1, 2, 3]) join(number)

    join(4, { to: named(1) })

    assert.deepStrictEqual(sent, [1, 2, 4])
  })

  it("let an event wait for the end of the one before it, and others of its receiver pass", () => {
    const { end, join, lines, sent } = theLines()
    const first = join(1)
    join(2, { behind: 1 })
    join(3)
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
    const { back, end, join, sent } = theLines()
    const first = join(1)
    join(2, { behind: 1 })

    end(first, false)

    assert.deepStrictEqual([sent, back], [[1], [2]])
  })

  it("give back what has waited too long, and send none of it meanwhile", () => {
    const { back, join, lines, sent, stale } = theLines()
    const [first, , third] = [1, 2, 3, 4].map((number) => join(number))
    if (first === undefined || third === undefined) return assert.fail("There are four")
    stale.add(third)

    lines.answered(first, false)
    lines.sweep()

    assert.deepStrictEqual([sent, back], [[1, 2, 4], [3]])
  })

  it("stop at once when the receiver has to be left alone, but for a probe, and go back when that is stored", () => {
    const { back, join, lines, sent } = theLines()
    const [first] = [1, 2, 3].map((number) => join(number))
    if (first === undefined) return assert.fail("There are three")
    lines.answered(first, true)
    join(4, { probeOf: 1 })
    const early = [...back]

    lines.ended(first)

    assert.deepStrictEqual([sent, early, back], [[1, 2, 4], [], [3]])
  })

  it("leave places to the receivers of others: a quarter is all that an account has", () => {
    const { join, lines, sent } = theLines({ places: 8 })
    const [first] = [1, 2, 3].map((number) => join(number, { to: named(number) }))

    join(4, { to: ofAnother })
    const early = [...sent]
    if (first !== undefined) lines.answered(first, false)

    assert.deepStrictEqual(
      [early, sent],
      [
        [1, 2, 4],
        [1, 2, 4, 3]
      ]
    )
  })

  it("serve receivers in turns while there are more than the process has places", () => {
    const { join, lines, sent } = theLines({ places: 1 })
    const all = new Map([1, 3, 5, 2, 4].map((number) => [number, join(number, { to: named(number % 2) })]))

    for (const number of [1, 3, 2, 5]) {
      const each = all.get(number)
      if (each !== undefined) lines.answered(each, false)
    }

    assert.deepStrictEqual(sent, [1, 3, 2, 5, 4])
  })

  it("hold nothing any more once they are closed: what cannot be sent at once goes back", () => {
    const { back, join, lines, sent } = theLines()
    for (const number of [1, 2, 3]) join(number)
    join(4, { probeOf: 1, behind: 1 })

    lines.close()
    join(5)
    join(6, { to: named(1) })

    assert.deepStrictEqual(
      [sent, back],
      [
        [1, 2, 6],
        [3, 4, 5]
      ]
    )
  })

  it("give each place back once, whether it was answered, ended or given back", () => {
    const { end, join, lines, receivers, waiting } = theLines()
    const [first, second] = [1, 2, 3].map((number) => join(number))
    if (first === undefined || second === undefined) return assert.fail("There are three")
    const before = waiting.count

    end(first)
    lines.ended(second)
    lines.close()
    lines.ended(second)

    const { accounts, total } = receivers.beginClaim()
    assert.deepStrictEqual([before, waiting.count], [1, 0])
    assert.deepStrictEqual([[...accounts.values()], total], [[255], 256])
  })
})

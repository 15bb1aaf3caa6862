import { assert, describe, it } from "@effect/vitest"
import { concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import { aheadMax } from "../../src/receivers/LeaseWindow.ts"
import { Receivers, rememberedMax } from "../../src/receivers/Receivers.ts"
import { accountId, claim, inFlightTo, named, ofAThird, ofAnother, toEach, toOne } from "./InFlights.ts"

const someReceivers = ({ heldMax = 1_024, places = 256 } = {}) => new Receivers({ heldMax, places })

/** Whether a place is kept, which is given back at once. */
const admits = (receivers: Receivers, name = named(0)) => {
  const place = receivers.reservePlace(receivers.at(name))
  if (place !== null) receivers.leave(place)
  return place !== null
}

describe("Receivers: room", () => {
  it("is what fits into the places and shares", () => {
    const receivers = someReceivers()
    claim(receivers, toEach(receivers, 10, { isRetry: true }))

    const room = receivers.beginClaim()

    assert.deepStrictEqual([room.total, room.retries, room.account, room.receiver], [256, 118, 256, 4])
    assert.deepStrictEqual([...room.accounts], [[accountId, 246]])
    assert.deepStrictEqual(
      room.receivers,
      Array.from({ length: 10 }, (_, number) => ({ ...named(number), room: 3 }))
    )
  })

  it("counts first attempts among no retries", () => {
    const receivers = someReceivers()
    claim(receivers, toEach(receivers, 3))

    assert.strictEqual(receivers.beginClaim().retries, 128)
  })

  it("is as it was once all have left, be it before an answer, and however often that is said", () => {
    const receivers = someReceivers()
    const all = toEach(receivers, 10, { isRetry: true, isHandedOver: true, units: 3 })
    claim(receivers, all)

    for (const each of all.slice(5)) receivers.answered(each)
    for (const each of all.slice(5)) receivers.answered(each)
    for (const each of all) receivers.leave(each)

    assert.deepStrictEqual(receivers.beginClaim(), someReceivers().beginClaim())
  })

  it("is there again for account and receiver once the receiver has answered", () => {
    const receivers = someReceivers({ places: 4 })
    const all = toEach(receivers, 1, { isRetry: true })
    claim(receivers, all)

    for (const each of all) receivers.answered(each)

    assert.deepStrictEqual(receivers.beginClaim(), someReceivers({ places: 4 }).beginClaim())
  })

  it("is not there while too many results wait to be stored", () => {
    const receivers = someReceivers({ heldMax: 4 })
    const all = toEach(receivers, 4)
    claim(receivers, all)
    for (const each of all) receivers.answered(each)

    const { total } = receivers.beginClaim()
    for (const each of all.slice(0, 1)) receivers.leave(each)

    assert.deepStrictEqual([total, receivers.beginClaim().total], [0, 1])
  })

  it("is named of those alone that do not have the usual", () => {
    const receivers = someReceivers()
    claim(receivers, toOne(receivers, 1))
    receivers.at(named(1)).record("overloaded", 1_000)
    receivers.at(named(2)).record("accepted", 5_000)

    assert.deepStrictEqual(receivers.beginClaim().receivers, [
      { ...named(0), room: 3 },
      { ...named(1), room: 2 }
    ])
  })

  it.each([
    { busy: 4, room: 63 },
    { busy: 16, room: 32 },
    { busy: 64, room: 16 }
  ])(
    "is $room of a claim for each of $busy busy receivers: what fits, or twice its share",
    ({ busy, room }) => {
      const receivers = someReceivers()
      for (let number = 0; number < busy; number++) receivers.at(named(number)).record("accepted", 10)
      claim(receivers, toEach(receivers, busy))

      const rooms = receivers.beginClaim().receivers.map((each) => each.room)

      assert.deepStrictEqual(
        rooms,
        Array.from({ length: busy }, () => room)
      )
    }
  )

  it("is also for what waits, once the receiver has answered soon", () => {
    const receivers = someReceivers()
    receivers.at(named(0)).record("accepted", 10)

    const [{ room } = { room: 0 }] = receivers.beginClaim().receivers

    assert.strictEqual(room, concurrencyStart * aheadMax)
  })
})

describe("Receivers: what is handed over", () => {
  const held = { places: 256, heldMax: 256 }

  it("finds room at its receiver, for its account and in the process", () => {
    const [ofReceiver, full] = [someReceivers(held), someReceivers(held)]
    claim(ofReceiver, toOne(ofReceiver, concurrencyStart - 1))
    claim(full, toOne(full, concurrencyStart))
    const [ofAccount, fullAccount] = [someReceivers(held), someReceivers(held)]
    claim(ofAccount, toEach(ofAccount, 63))
    claim(fullAccount, toEach(fullAccount, 64))
    const fullProcess = someReceivers({ places: 256, heldMax: 1 })
    claim(fullProcess, toOne(fullProcess, 1))
    // What the claims above have used up is not looked into.
    for (const each of [full, fullAccount, fullProcess]) claim(each, [])

    assert.deepStrictEqual([admits(ofReceiver), admits(full)], [true, false])
    assert.deepStrictEqual([admits(ofAccount, named(99)), admits(fullAccount, named(99))], [true, false])
    assert.isFalse(admits(fullProcess, named(1)))
  })

  it("counts as several where the body is long, which is known late", () => {
    const receivers = someReceivers(held)
    const receiver = receivers.at(named(0))
    const place = receivers.reservePlace(receiver)
    if (place === null) return assert.fail("There is room")
    const before = admits(receivers, named(1))
    const long = inFlightTo(receiver, { isHandedOver: true, units: 64 })
    receivers.takePlace(place, long)
    const after = admits(receivers, named(1))
    const [room] = receivers.beginClaim().accounts.values()

    receivers.leave(long)

    assert.deepStrictEqual([before, after, room], [true, false, 0])
    assert.deepStrictEqual(receivers.beginClaim(), someReceivers(held).beginClaim())
  })

  it("leaves half of what is held to what is claimed", () => {
    const receivers = someReceivers({ places: 16, heldMax: 16 })
    const placesOf = (name: typeof ofAnother, count: number) => {
      for (let number = 0; number < count; number++) receivers.reservePlace(receivers.at(name))
    }
    placesOf(named(0), 4)
    const before = admits(receivers, ofAThird)

    placesOf(ofAnother, 4)

    assert.deepStrictEqual([before, admits(receivers, ofAThird)], [true, false])
    assert.strictEqual(receivers.beginClaim().total, 8)
  })

  it("leaves no room to as much of what is claimed meanwhile", () => {
    const receivers = someReceivers(held)
    const room = receivers.beginClaim()
    receivers.reservePlace(receivers.at(named(0)))
    const claimed = [...toOne(receivers, concurrencyStart), inFlightTo(receivers.at(named(1)))]

    const placed = receivers.endClaim(room, claimed)

    assert.deepStrictEqual([...placed], [...claimed.slice(0, 3), ...claimed.slice(4)])
    assert.strictEqual(receivers.beginClaim().total, 251)
  })
})

describe("Receivers: what is remembered", () => {
  it("is one object of each receiver", () => {
    const receivers = someReceivers()

    assert.strictEqual(receivers.at(named(0)), receivers.at({ ...named(0) }))
    assert.notStrictEqual(receivers.at(named(0)), receivers.at(ofAnother))
  })

  it("are those of which something is held, be it a result that is not stored", () => {
    const receivers = someReceivers()
    const [waiting, stored] = [0, 1].map((number) => inFlightTo(receivers.at(named(number))))
    if (waiting === undefined || stored === undefined) return assert.fail("There are two")
    claim(receivers, [waiting, stored])
    for (const each of [waiting, stored]) receivers.answered(each)
    receivers.leave(stored)

    for (let number = 0; number < rememberedMax; number++) receivers.at(named(2 + number))

    const same = [waiting, stored].map(({ receiver }) => receivers.at(receiver.name) === receiver)
    assert.deepStrictEqual(same, [true, false])
  })

  it("are those for which more may be due than was claimed", () => {
    const receivers = someReceivers()
    const claimed = toOne(receivers, concurrencyStart)
    claim(receivers, claimed)
    for (const each of claimed) receivers.leave(each)

    for (let number = 0; number < rememberedMax; number++) receivers.at(named(1 + number))

    assert.isFalse(admits(receivers))
  })

  it("are not more than so many: the one that was not heard of for longest is forgotten first", () => {
    const receivers = someReceivers()
    const [early, lively] = [receivers.at(named(0)), receivers.at(named(1))]
    for (let number = 2; number < rememberedMax; number++) receivers.at(named(number))
    receivers.at(named(0))

    receivers.at(named(rememberedMax))

    assert.strictEqual(receivers.at(named(0)), early)
    assert.notStrictEqual(receivers.at(named(1)), lively)
  })
})

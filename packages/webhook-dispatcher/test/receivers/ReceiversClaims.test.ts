import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import type { InFlight } from "../../src/receivers/Receiver.ts"
import { aheadMax } from "../../src/receivers/LeaseWindow.ts"
import { Receivers } from "../../src/receivers/Receivers.ts"
import { claim, inFlightTo, named, ofAnother, toEach, toOne } from "./InFlights.ts"

const someReceivers = ({ heldMax = 1_024, places = 256 } = {}) => new Receivers({ heldMax, places })

/** Whether something new may be handed over to it. */
const admits = (receivers: Receivers, name = named(0)) => {
  const place = receivers.reservePlace(receivers.at(name))
  if (place !== null) receivers.leave(place)
  return place !== null
}

/** Claims them, and has them answered and stored, so that there is room for all. */
const claimAndLeave = (receivers: Receivers, claimed: ReadonlyArray<InFlight>) => {
  claim(receivers, claimed)
  for (const each of claimed) receivers.leave(each)
}

/** Whether whoever waits for more to claim is woken by that. */
const wakes = Effect.fnUntraced(function* (receivers: Receivers, change: () => void) {
  receivers.beginClaim()
  const waiting = yield* Effect.forkChild(receivers.moreToClaim, { startImmediately: true })
  change()
  yield* Effect.yieldNow
  return waiting.pollUnsafe() !== undefined
})

describe("Receivers: what is new goes behind what may be due", () => {
  it("to nobody after a claim that had room for more", () => {
    const receivers = someReceivers()

    claimAndLeave(receivers, [...toOne(receivers, 2), ...toEach(receivers, 2)])

    assert.deepStrictEqual([admits(receivers), admits(receivers, named(1))], [true, true])
  })

  it("to a receiver that took all its room, or had none", () => {
    const receivers = someReceivers()
    const to = (number: number, count: number) =>
      Array.from({ length: count }, () => inFlightTo(receivers.at(named(number))))
    receivers.at(named(1)).record("overloaded", 1_000)
    const full = to(3, concurrencyStart)
    claim(receivers, full)

    claimAndLeave(receivers, [...to(0, 4), ...to(1, 2), ...to(2, 3)])
    for (const each of full) receivers.leave(each)

    assert.deepStrictEqual(
      [0, 1, 2, 3, 4].map((number) => admits(receivers, named(number))),
      [false, false, true, false, true]
    )
  })

  it("to an account that took all its room, and to nobody else", () => {
    const receivers = someReceivers({ heldMax: 16 })

    claimAndLeave(receivers, toEach(receivers, 4))

    assert.deepStrictEqual([admits(receivers, named(7)), admits(receivers, ofAnother)], [false, true])
  })

  it("to everybody when a claim took all the room that there was", () => {
    const [all, some] = [someReceivers({ places: 2 }), someReceivers({ places: 2 })]

    claimAndLeave(all, toEach(all, 2))
    claimAndLeave(some, toEach(some, 1))

    assert.deepStrictEqual([admits(all, ofAnother), admits(some, ofAnother)], [false, true])
  })

  it("until a claim has found less than it had room for, and not while that is on its way", () => {
    const receivers = someReceivers()
    claimAndLeave(receivers, toOne(receivers, concurrencyStart))
    const room = receivers.beginClaim()
    const meanwhile = admits(receivers)

    receivers.endClaim(room, [])

    assert.deepStrictEqual([meanwhile, admits(receivers)], [false, true])
  })
})

describe("Receivers: who waits for more to claim", () => {
  it.effect("is woken when a receiver answers that took all the room it had", () =>
    Effect.gen(function* () {
      const receivers = someReceivers()
      const full = toOne(receivers, concurrencyStart)
      const roomy = toEach(receivers, 2).slice(1)
      claim(receivers, [...full, ...roomy])

      assert.isFalse(yield* wakes(receivers, () => roomy.forEach((each) => receivers.answered(each))))
      assert.isTrue(yield* wakes(receivers, () => full.slice(1).forEach((each) => receivers.answered(each))))
    })
  )

  it.effect("is woken when a receiver answers while a claim takes all the room it had before", () =>
    Effect.gen(function* () {
      const receivers = someReceivers()
      const [early, ...others] = toOne(receivers, concurrencyStart)
      if (early === undefined) return assert.fail("there is one")
      claim(receivers, [early])
      const room = receivers.beginClaim()
      const waiting = yield* Effect.forkChild(receivers.moreToClaim, { startImmediately: true })

      receivers.answered(early)
      const before = waiting.pollUnsafe()
      receivers.endClaim(room, others)

      assert.isUndefined(before)
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(waiting)))
    })
  )

  it.effect("is woken when what was claimed has lost its place to what was handed over meanwhile", () =>
    Effect.gen(function* () {
      const receivers = someReceivers()
      const room = receivers.beginClaim()
      const waiting = yield* Effect.forkChild(receivers.moreToClaim, { startImmediately: true })
      receivers.reservePlace(receivers.at(named(0)))

      receivers.endClaim(room, toOne(receivers, concurrencyStart))

      assert.isTrue(Exit.isSuccess(yield* Fiber.await(waiting)))
    })
  )

  it.effect("is woken when more has become due, and not for a result that makes no room", () =>
    Effect.gen(function* () {
      const receivers = someReceivers()
      const [one] = toOne(receivers, 1)
      if (one === undefined) return assert.fail("there is one")
      claim(receivers, [one])
      receivers.answered(one)

      assert.isFalse(yield* wakes(receivers, () => receivers.leave(one)))
      assert.isTrue(yield* wakes(receivers, () => receivers.lookAgain()))
    })
  )

  it.effect.each([
    { claimed: 1, isWoken: false },
    { claimed: 2, isWoken: true }
  ])("is woken by a retry: $isWoken, after $claimed took up room for two", ({ claimed, isWoken }) =>
    Effect.gen(function* () {
      const receivers = someReceivers({ places: 4 })
      const retries = toEach(receivers, claimed, { isRetry: true })
      claim(receivers, retries)

      const woken = yield* wakes(receivers, () => retries.forEach((each) => receivers.answered(each)))

      assert.strictEqual(woken, isWoken)
    })
  )

  it.effect("is woken once an eighth of its room is free again for an account that took all of it", () =>
    Effect.gen(function* () {
      const receivers = someReceivers({ heldMax: 64 })
      const claimed = toEach(receivers, 16)
      claim(receivers, claimed)

      const early = yield* wakes(receivers, () =>
        claimed.slice(0, 1).forEach((each) => receivers.answered(each))
      )
      const late = yield* wakes(receivers, () =>
        claimed.slice(1, 2).forEach((each) => receivers.answered(each))
      )

      assert.deepStrictEqual([early, late], [false, true])
    })
  )

  it.effect("waits for room while results are too many, and no longer", () =>
    Effect.gen(function* () {
      const receivers = someReceivers({ places: 8, heldMax: 1 })
      const [first] = toOne(receivers, 1)
      if (first === undefined) return assert.fail("there is one")
      claim(receivers, [first])
      receivers.answered(first)
      const waiting = yield* Effect.forkChild(receivers.someRoom, { startImmediately: true })
      const early = waiting.pollUnsafe()

      receivers.leave(first)

      assert.isUndefined(early)
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(waiting)))
    })
  )

  it.effect("is woken for a receiver that had no room for all only when half of its line has gone", () =>
    Effect.gen(function* () {
      const receivers = someReceivers()
      receivers.at(named(0)).record("accepted", 10)
      const taken = toOne(receivers, concurrencyStart * aheadMax)
      const half = taken.length / 2
      claim(receivers, taken)

      const early = yield* wakes(receivers, () =>
        taken.slice(1, half).forEach((each) => receivers.answered(each))
      )
      const [{ room: offered } = { room: -1 }] = receivers.beginClaim().receivers
      const late = yield* wakes(receivers, () =>
        taken.slice(0, 1).forEach((each) => receivers.answered(each))
      )
      const [{ room } = { room: -1 }] = receivers.beginClaim().receivers

      assert.deepStrictEqual([early, offered, late, room], [false, 0, true, half])
    })
  )
})

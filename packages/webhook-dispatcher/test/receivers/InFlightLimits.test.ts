import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import type { Passage } from "../../src/receivers/Passage.ts"
import { InFlightLimits } from "../../src/receivers/InFlightLimits.ts"
import { anotherAccountId, aPassage, flights, passages, receiver } from "./Passages.ts"

const withAll = (
  entered: ReadonlyArray<Passage>,
  options: { readonly places: number; readonly heldMax?: number } = { places: 256 }
) => {
  const traffic = new InFlightLimits({ heldMax: 1_024, ...options })
  for (const passage of entered) traffic.handedOver(passage)
  return traffic
}

/** Claims them all, in one go. */
const claim = (traffic: InFlightLimits, taken: ReadonlyArray<Passage>) =>
  traffic.claimed(traffic.takeRoom(), flights(taken))

/** Whether whoever waits for more room is woken by that. */
const wakes = Effect.fnUntraced(function* (traffic: InFlightLimits, change: () => void) {
  traffic.takeRoom()
  const waiting = yield* Effect.forkChild(traffic.hasMoreRoom, { startImmediately: true })
  change()
  yield* Effect.yieldNow
  return waiting.pollUnsafe() !== undefined
})

describe("InFlightLimits", () => {
  it("has room for what fits into the places and shares", () => {
    const room = withAll(passages(10, { isRetry: true })).takeRoom()

    assert.deepStrictEqual([room.total, room.retries, room.account, room.receiver], [246, 118, 64, 4])
    assert.deepStrictEqual([...room.accounts.values()], [54])
    assert.deepStrictEqual(
      room.receivers.map((each) => each.room),
      Array.from({ length: 10 }, () => 3)
    )
  })

  it("counts first attempts among no retries", () => {
    assert.strictEqual(withAll(passages(3)).takeRoom().retries, 128)
  })

  it("is as it was once all have ended, be it before an answer", () => {
    const entered = passages(10, { isRetry: true })
    const traffic = withAll(entered)

    for (const passage of entered.slice(5)) traffic.answered(passage)
    for (const passage of entered) traffic.left(passage)

    assert.deepStrictEqual(traffic.takeRoom(), withAll([]).takeRoom())
  })

  it("has room again for account and receiver once the receiver has answered", () => {
    const entered = passages(1, { isRetry: true })
    const traffic = withAll(entered, { places: 4 })

    for (const passage of entered) traffic.answered(passage)

    assert.deepStrictEqual(traffic.takeRoom(), withAll([], { places: 4 }).takeRoom())
  })

  it("has no room while too many results wait to be stored", () => {
    const entered = passages(3)
    const traffic = withAll(entered, { places: 256, heldMax: 4 })
    for (const passage of entered) traffic.answered(passage)

    traffic.handedOver(aPassage())
    const { total } = traffic.takeRoom()
    const [first = aPassage()] = entered
    traffic.left(first)

    assert.deepStrictEqual([total, traffic.takeRoom().total], [0, 1])
  })

  it.effect("wakes who waits when a receiver answers that took all the room it had", () =>
    Effect.gen(function* () {
      const [full, roomy] = [passages(concurrencyStart).map(() => aPassage()), passages(2)]
      const traffic = new InFlightLimits({ places: 256, heldMax: 1_024 })
      claim(traffic, [...full, ...roomy.slice(1)])

      const [one = aPassage()] = full
      assert.isFalse(yield* wakes(traffic, () => roomy.slice(1).forEach((each) => traffic.answered(each))))
      assert.isTrue(yield* wakes(traffic, () => traffic.answered(one)))
    })
  )

  it.effect("wakes who waits when a receiver answers while a claim takes all the room it had before", () =>
    Effect.gen(function* () {
      const traffic = new InFlightLimits({ places: 256, heldMax: 1_024 })
      const [early, ...others] = passages(concurrencyStart).map(() => aPassage())
      if (early === undefined) return assert.fail("there is one")
      claim(traffic, [early])
      const room = traffic.takeRoom()
      const waiting = yield* Effect.forkChild(traffic.hasMoreRoom, { startImmediately: true })

      traffic.answered(early)
      const before = waiting.pollUnsafe()
      traffic.claimed(room, flights(others))

      assert.isUndefined(before)
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(waiting)))
    })
  )

  it.effect("wakes who waits when more has become due, and not for a result that makes no room", () =>
    Effect.gen(function* () {
      const passage = aPassage()
      const traffic = withAll([passage])
      traffic.answered(passage)

      assert.isFalse(yield* wakes(traffic, () => traffic.left(passage)))
      assert.isTrue(yield* wakes(traffic, () => traffic.isMoreDue()))
    })
  )

  it.effect("waits for room while results are too many, and no longer", () =>
    Effect.gen(function* () {
      const [first = aPassage()] = passages(1)
      const traffic = withAll([first], { places: 8, heldMax: 1 })
      traffic.answered(first)
      const waiting = yield* Effect.forkChild(traffic.hasRoom, { startImmediately: true })
      const early = waiting.pollUnsafe()

      traffic.left(first)

      assert.isUndefined(early)
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(waiting)))
    })
  )

  it("takes what is handed over within the room of receiver, account and process", () => {
    const ofReceiver = Array.from({ length: concurrencyStart }, () => aPassage())
    const ofAccount = passages(64).slice(1)

    assert.isTrue(withAll(ofReceiver.slice(1)).hasRoomFor(receiver(0)))
    assert.isFalse(withAll(ofReceiver).hasRoomFor(receiver(0)))
    assert.isTrue(withAll(ofAccount).hasRoomFor(receiver(0)))
    assert.isFalse(withAll([...ofAccount, aPassage()]).hasRoomFor(receiver(100)))
    assert.isFalse(withAll([aPassage()], { places: 256, heldMax: 1 }).hasRoomFor(receiver(1)))
  })

  it("places what was claimed within the room that is left beside what was handed over meanwhile", () => {
    const traffic = new InFlightLimits({ places: 256, heldMax: 1_024 })
    const room = traffic.takeRoom()
    traffic.handedOver(aPassage({ isHandedOver: true }))
    const claimed = flights([...passages(concurrencyStart).map(() => aPassage()), ...passages(2).slice(1)])

    const placed = traffic.claimed(room, claimed)

    assert.deepStrictEqual(placed, [...claimed.slice(0, 3), ...claimed.slice(4)])
    assert.strictEqual(traffic.takeRoom().total, 251)
  })

  it("takes nothing past what is older, and may be due to the same receiver", () => {
    const traffic = new InFlightLimits({ places: 256, heldMax: 1_024 })
    const claimed = passages(concurrencyStart).map(() => aPassage())

    claim(traffic, claimed)
    for (const passage of claimed) traffic.answered(passage)
    const behind = [0, 1].map((number) => traffic.hasRoomFor(receiver(number)))
    claim(traffic, [])

    assert.deepStrictEqual([behind, traffic.hasRoomFor(receiver(0))], [[false, true], true])
  })

  it("leaves half of the places to what is claimed, whoever hands over", () => {
    const others = { ...receiver(0), accountId: anotherAccountId }
    const traffic = withAll(passages(3, { isHandedOver: true }), { places: 16 })
    const before = traffic.hasRoomFor(others)

    for (const passage of passages(5, { isHandedOver: true })) traffic.handedOver(passage)

    assert.deepStrictEqual([before, traffic.hasRoomFor(others)], [true, false])
    assert.strictEqual(traffic.takeRoom().total, 8)
  })
})

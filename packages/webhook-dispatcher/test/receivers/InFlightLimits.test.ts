import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import { aheadMax } from "../../src/receivers/LeaseWindow.ts"
import { InFlightLimits } from "../../src/receivers/InFlightLimits.ts"
import { bodyUnit, type Permit, unitsOf } from "../../src/receivers/Permit.ts"
import { anotherAccountId, aPermit, inFlight, permits, receiver } from "./Permits.ts"

const withAll = (
  entered: ReadonlyArray<Permit>,
  options: { readonly places: number; readonly heldMax?: number } = { places: 256 }
) => {
  const limits = new InFlightLimits({ heldMax: 1_024, ...options })
  for (const permit of entered) limits.reserve(permit)
  return limits
}

/** Claims them all, in one go. */
const claim = (limits: InFlightLimits, taken: ReadonlyArray<Permit>) =>
  limits.endClaim(limits.beginClaim(), inFlight(taken))

/** Whether whoever waits for more room is woken by that. */
const wakes = Effect.fnUntraced(function* (limits: InFlightLimits, change: () => void) {
  limits.beginClaim()
  const waiting = yield* Effect.forkChild(limits.moreToClaim, { startImmediately: true })
  change()
  yield* Effect.yieldNow
  return waiting.pollUnsafe() !== undefined
})

describe("InFlightLimits", () => {
  it("has room for what fits into the places and shares", () => {
    const room = withAll(permits(10, { isRetry: true })).beginClaim()

    assert.deepStrictEqual([room.total, room.retries, room.account, room.receiver], [256, 118, 256, 4])
    assert.deepStrictEqual([...room.accounts.values()], [246])
    assert.deepStrictEqual(
      room.receivers.map((each) => each.room),
      Array.from({ length: 10 }, () => 3)
    )
  })

  it("counts first attempts among no retries", () => {
    assert.strictEqual(withAll(permits(3)).beginClaim().retries, 128)
  })

  it("is as it was once all have ended, be it before an answer", () => {
    const entered = permits(10, { isRetry: true })
    const limits = withAll(entered)

    for (const permit of entered.slice(5)) limits.answered(permit)
    for (const permit of entered) limits.release(permit)

    assert.deepStrictEqual(limits.beginClaim(), withAll([]).beginClaim())
  })

  it("has room again for account and receiver once the receiver has answered", () => {
    const entered = permits(1, { isRetry: true })
    const limits = withAll(entered, { places: 4 })

    for (const permit of entered) limits.answered(permit)

    assert.deepStrictEqual(limits.beginClaim(), withAll([], { places: 4 }).beginClaim())
  })

  it("has no room while too many results wait to be stored", () => {
    const entered = permits(3)
    const limits = withAll(entered, { places: 256, heldMax: 4 })
    for (const permit of entered) limits.answered(permit)

    limits.reserve(aPermit())
    const { total } = limits.beginClaim()
    const [first = aPermit()] = entered
    limits.release(first)

    assert.deepStrictEqual([total, limits.beginClaim().total], [0, 1])
  })

  it.effect("wakes who waits when a receiver answers that took all the room it had", () =>
    Effect.gen(function* () {
      const [full, roomy] = [permits(concurrencyStart).map(() => aPermit()), permits(2)]
      const limits = new InFlightLimits({ places: 256, heldMax: 1_024 })
      claim(limits, [...full, ...roomy.slice(1)])

      const [one = aPermit()] = full
      assert.isFalse(yield* wakes(limits, () => roomy.slice(1).forEach((each) => limits.answered(each))))
      assert.isTrue(yield* wakes(limits, () => limits.answered(one)))
    })
  )

  it.effect("wakes who waits when a receiver answers while a claim takes all the room it had before", () =>
    Effect.gen(function* () {
      const limits = new InFlightLimits({ places: 256, heldMax: 1_024 })
      const [early, ...others] = permits(concurrencyStart).map(() => aPermit())
      if (early === undefined) return assert.fail("there is one")
      claim(limits, [early])
      const room = limits.beginClaim()
      const waiting = yield* Effect.forkChild(limits.moreToClaim, { startImmediately: true })

      limits.answered(early)
      const before = waiting.pollUnsafe()
      limits.endClaim(room, inFlight(others))

      assert.isUndefined(before)
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(waiting)))
    })
  )

  it.effect("wakes who waits when more has become due, and not for a result that makes no room", () =>
    Effect.gen(function* () {
      const permit = aPermit()
      const limits = withAll([permit])
      limits.answered(permit)

      assert.isFalse(yield* wakes(limits, () => limits.release(permit)))
      assert.isTrue(yield* wakes(limits, () => limits.lookAgain()))
    })
  )

  it.effect("waits for room while results are too many, and no longer", () =>
    Effect.gen(function* () {
      const [first = aPermit()] = permits(1)
      const limits = withAll([first], { places: 8, heldMax: 1 })
      limits.answered(first)
      const waiting = yield* Effect.forkChild(limits.someRoom, { startImmediately: true })
      const early = waiting.pollUnsafe()

      limits.release(first)

      assert.isUndefined(early)
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(waiting)))
    })
  )

  it("takes what is handed over within the room of receiver, account and process", () => {
    const ofReceiver = Array.from({ length: concurrencyStart }, () => aPermit())
    const ofAccount = permits(64).slice(1)

    const held = { places: 256, heldMax: 256 }

    assert.isTrue(withAll(ofReceiver.slice(1), held).admits(receiver(0)))
    assert.isFalse(withAll(ofReceiver, held).admits(receiver(0)))
    assert.isTrue(withAll(ofAccount, held).admits(receiver(0)))
    assert.isFalse(withAll([...ofAccount, aPermit()], held).admits(receiver(100)))
    assert.isFalse(withAll([aPermit()], { ...held, heldMax: 1 }).admits(receiver(1)))
  })

  it("counts what has a long body as several, be it known late", () => {
    const limits = withAll([], { places: 256, heldMax: 256 })
    const kept = aPermit({ isHandedOver: true })
    limits.reserve(kept)
    const before = limits.admits(receiver(1))
    const measured = limits.measured(kept, unitsOf({ body: "x".repeat(63 * bodyUnit) }))
    const after = limits.admits(receiver(1))
    const [room] = limits.beginClaim().accounts.values()

    limits.release(measured)

    assert.deepStrictEqual([before, after, room], [true, false, 0])
    assert.deepStrictEqual(limits.beginClaim(), withAll([], { places: 256, heldMax: 256 }).beginClaim())
  })

  it("places what was claimed within the room that is left beside what was handed over meanwhile", () => {
    const limits = new InFlightLimits({ places: 256, heldMax: 256 })
    const room = limits.beginClaim()
    limits.reserve(aPermit({ isHandedOver: true }))
    const claimed = inFlight([...permits(concurrencyStart).map(() => aPermit()), ...permits(2).slice(1)])

    const placed = limits.endClaim(room, claimed)

    assert.deepStrictEqual(placed, [...claimed.slice(0, 3), ...claimed.slice(4)])
    assert.strictEqual(limits.beginClaim().total, 251)
  })

  it("takes nothing past what is older, and may be due to the same receiver", () => {
    const limits = new InFlightLimits({ places: 256, heldMax: 1_024 })
    const claimed = permits(concurrencyStart).map(() => aPermit())

    claim(limits, claimed)
    for (const permit of claimed) limits.answered(permit)
    const behind = [0, 1].map((number) => limits.admits(receiver(number)))
    claim(limits, [])

    assert.deepStrictEqual([behind, limits.admits(receiver(0))], [[false, true], true])
  })

  it("leaves half of the places to what is claimed, whoever hands over", () => {
    const others = { ...receiver(0), accountId: anotherAccountId }
    const limits = withAll(permits(3, { isHandedOver: true }), { places: 16, heldMax: 16 })
    const before = limits.admits(others)

    for (const permit of permits(5, { isHandedOver: true })) limits.reserve(permit)

    assert.deepStrictEqual([before, limits.admits(others)], [true, false])
    assert.strictEqual(limits.beginClaim().total, 8)
  })

  it("has room for what waits, once the receiver has answered soon", () => {
    const limits = new InFlightLimits({ places: 256, heldMax: 1_024 })
    limits.stats.record(receiver(0), "accepted", 10)

    const [{ room } = { room: 0 }] = limits.beginClaim().receivers

    assert.strictEqual(room, concurrencyStart * aheadMax)
  })

  it.effect("claims for a receiver that had no room for all only when half of its line has gone", () =>
    Effect.gen(function* () {
      const limits = new InFlightLimits({ places: 256, heldMax: 1_024 })
      limits.stats.record(receiver(0), "accepted", 10)
      const taken = Array.from({ length: concurrencyStart * aheadMax }, () => aPermit())
      const half = taken.length / 2
      claim(limits, taken)

      const early = yield* wakes(limits, () => taken.slice(1, half).forEach((each) => limits.answered(each)))
      const [{ room: offered } = { room: -1 }] = limits.beginClaim().receivers
      const late = yield* wakes(limits, () => taken.slice(0, 1).forEach((each) => limits.answered(each)))
      const [{ room } = { room: -1 }] = limits.beginClaim().receivers

      assert.deepStrictEqual([early, offered, late, room], [false, 0, true, half])
    })
  )
})

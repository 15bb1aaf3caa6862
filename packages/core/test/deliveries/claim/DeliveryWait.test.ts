import { assert, describe, it } from "@effect/vitest"
import { type WaitReasons, waitOf } from "@runhook/core/deliveries/claim/DeliveryWait"
import { type ReceiverState, untroubled } from "@runhook/core/deliveries/claim/Receiver"
import { EventId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"

const second = (seconds: number) => DateTime.makeUnsafe(seconds * 1_000)

/** Of the slice that comes forward 10 seconds after a breaker has closed. */
const id = EventId.make("0190a8f0-0000-7000-8000-00000000000a")

const delivery = { id, attempts: 1, nextAttemptAt: second(10) }

const waitAt = (
  seconds: number,
  {
    receiver = {},
    ...standing
  }: Partial<Omit<WaitReasons, "receiver">> & { receiver?: Partial<ReceiverState> }
) => {
  const { nextAttemptAt, waitingFor } = waitOf(
    delivery,
    {
      hasEarlier: false,
      isAttempted: false,
      isTried: false,
      ...standing,
      receiver: { ...untroubled, ...receiver }
    },
    second(seconds)
  )
  return [waitingFor, nextAttemptAt && nextAttemptAt.epochMilliseconds / 1_000]
}

describe("a delivery", () => {
  it("waits for its time, and for nothing from then on", () => {
    assert.deepStrictEqual(waitAt(9, {}), ["backoff", 10])
    assert.deepStrictEqual(waitAt(10, {}), [null, 10])
  })

  it("waits for the outcome of its attempt, until that counts as lost", () => {
    assert.deepStrictEqual(waitAt(9, { isAttempted: true }), ["sending", 10])
    assert.deepStrictEqual(waitAt(10, { isAttempted: true }), [null, 10])
  })

  it("waits for an earlier event, also while its dispatcher holds both", () => {
    assert.deepStrictEqual(waitAt(9, { hasEarlier: true }), ["earlier_event", 10])
    assert.deepStrictEqual(waitAt(9, { hasEarlier: true, isAttempted: true }), ["earlier_event", 10])
  })

  it("waits for a receiver that is held for longer than itself", () => {
    assert.deepStrictEqual(waitAt(5, { receiver: { heldUntil: second(20) } }), ["paused", 20])
    assert.deepStrictEqual(waitAt(15, { receiver: { heldUntil: second(20), openings: 2 } }), [
      "breaker_open",
      20
    ])
    assert.deepStrictEqual(waitAt(5, { receiver: { heldUntil: second(9), openings: 2 } }), ["backoff", 10])
    assert.deepStrictEqual(waitAt(20, { receiver: { heldUntil: second(20) } }), [null, 20])
  })

  it("waits for its slice of what comes forward when a breaker has closed", () => {
    const receiver = { closedAt: second(30), heldUntil: second(12) }

    assert.deepStrictEqual(waitAt(35, { receiver }), ["breaker_open", 40])
    assert.deepStrictEqual(waitAt(40, { receiver }), [null, 40])
  })

  it("waits for nothing once it is settled", () => {
    const standing = {
      hasEarlier: true,
      isAttempted: true,
      isTried: false,
      receiver: { ...untroubled, openings: 1 }
    }

    const wait = waitOf({ ...delivery, nextAttemptAt: null }, standing, second(1))

    assert.deepStrictEqual(wait, { waitingFor: null, nextAttemptAt: null })
  })
})

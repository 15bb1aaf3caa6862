import { assert, describe, it } from "@effect/vitest"
import {
  dueAt,
  isHeld,
  moved,
  probed,
  type ReceiverMove,
  receiverKey,
  receiverOf,
  recoverySeconds,
  sliceOf,
  untroubled
} from "@runhook/core/deliveries/claim/Receiver"
import { AccountId, EventId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"

const accountId = AccountId.make("0190a8f0-0000-7000-8000-000000000000")
const id = EventId.make("0190a8f0-0000-7000-8000-00000000000c")

const at = (second: number): DateTime.Utc => DateTime.makeUnsafe(second * 1_000)

const opened = (openings: number, second: number): ReceiverMove => ({
  _tag: "Open",
  openings,
  until: at(second)
})

const keyOf = (url: string) => receiverKey(receiverOf({ accountId, url }))

describe("Receiver", () => {
  it("takes URLs of one origin for one receiver", () => {
    assert.strictEqual(keyOf("https://a.example/hook?x=1"), keyOf("https://A.example:443/other"))
    assert.notStrictEqual(keyOf("https://a.example/hook"), keyOf("https://a.example:8443/hook"))
  })

  it("is held once its breaker opens, until its time", () => {
    const state = moved(untroubled, opened(1, 10), at(0))

    assert.deepStrictEqual(
      [0, 9.999, 10].map((second) => isHeld(state, at(second))),
      [true, true, false]
    )
  })

  it("opens once, whoever finds out next", () => {
    const state = moved(untroubled, opened(1, 10), at(0))

    assert.deepStrictEqual(moved(state, opened(1, 99), at(1)), state)
  })

  it("opens again by the probe that failed, whose own hold then counts for nothing", () => {
    const open = moved(untroubled, opened(1, 10), at(0))
    const probing = probed(open, { at: at(10), lease: Duration.seconds(45) })

    const state = moved(probing, opened(2, 31), at(11))

    assert.deepStrictEqual([state.openings, state.heldUntil], [2, at(31)])
  })

  it("closes by the probe of that opening, and by no older one", () => {
    const open = moved(moved(untroubled, opened(1, 10), at(0)), opened(2, 31), at(11))

    assert.deepStrictEqual(moved(open, { _tag: "Close", openings: 1 }, at(40)), open)
    assert.deepStrictEqual(moved(open, { _tag: "Close", openings: 2 }, at(40)), {
      openings: 0,
      heldUntil: null,
      closedAt: at(40)
    })
  })

  it("is freed by its probe, and by nothing that had another lease", () => {
    const open = moved(untroubled, opened(1, 10), at(0))
    const probing = probed(open, { at: at(10), lease: Duration.seconds(45) })
    const freed = (leaseEnd: DateTime.Utc | null) =>
      moved(probing, { _tag: "Free", leaseEnd }, at(12)).heldUntil

    assert.deepStrictEqual([at(55), at(50), null].map(freed), [at(12), at(55), at(55)])
    assert.deepStrictEqual(moved(open, { _tag: "Free", leaseEnd: at(55) }, at(5)), open)
    assert.deepStrictEqual(moved(untroubled, { _tag: "Free", leaseEnd: null }, at(5)), untroubled)
  })

  it("keeps the longest of several pauses", () => {
    const paused = moved(untroubled, { _tag: "Pause", until: at(60) }, at(0))

    assert.deepStrictEqual(moved(paused, { _tag: "Pause", until: at(30) }, at(1)), paused)
  })

  it("makes what waited due in its slice, and what is new at its own time", () => {
    const closed = { openings: 0, heldUntil: null, closedAt: at(100) }

    assert.deepStrictEqual(dueAt({ id, nextAttemptAt: at(50) }, closed), at(112))
    assert.deepStrictEqual(dueAt({ id, nextAttemptAt: at(101) }, closed), at(101))
  })

  it("makes nothing due before the end of a hold", () => {
    const state = { ...untroubled, heldUntil: at(10) }

    assert.deepStrictEqual(dueAt({ id, nextAttemptAt: at(5) }, state), at(10))
    assert.deepStrictEqual(dueAt({ id, nextAttemptAt: at(15) }, state), at(15))
    assert.isNull(dueAt({ id, nextAttemptAt: null }, state))
  })

  it.prop("has a slice for every delivery, within the recovery", { id: Schema.toType(EventId) }, (each) => {
    const slice = sliceOf(each.id)

    assert.isTrue(Number.isInteger(slice) && slice >= 0 && slice < recoverySeconds)
  })
})

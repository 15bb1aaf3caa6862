import { assert, describe, it } from "@effect/vitest"
import type { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import { EventId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import { moveAfter } from "../../src/receivers/CircuitBreaker.ts"
import { answered } from "../faults/Scripted.ts"

const at = DateTime.makeUnsafe("2030-01-01T00:00:00Z")

const attemptWith = (status: number, retryAfter?: string): DeliveryAttempt => ({
  ...answered(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  deliveryId: EventId.make("0190a8f0-0000-7000-8000-000000000000"),
  round: 1,
  number: 1,
  startedAt: at,
  durationMs: 1
})

const move = (attempt: DeliveryAttempt, failures: number, probeOf: number | null = null) =>
  moveAfter({ attempt, failures, isTest: false, probeOf, at, random: 0.5 })

const seconds = (count: number) => DateTime.add(at, { seconds: count })

describe("moveAfter", () => {
  it("changes nothing before the fifth failure in a row", () => {
    assert.isUndefined(move(attemptWith(500), 4))
  })

  it("opens with the fifth failure, for ten seconds", () => {
    assert.deepStrictEqual(move(attemptWith(500), 5), { _tag: "Open", openings: 1, until: seconds(10) })
  })

  it("opens again and for twice as long when the probe fails", () => {
    assert.deepStrictEqual(move(attemptWith(500), 1, 1), { _tag: "Open", openings: 2, until: seconds(20) })
  })

  for (const status of [200, 404]) {
    it(`closes when the probe is answered ${status}`, () => {
      assert.deepStrictEqual(move(attemptWith(status), 0, 3), { _tag: "Close", openings: 3 })
    })
  }

  it("concludes nothing from a probe that was never sent", () => {
    const unsent = { ...attemptWith(500), phase: "policy", status: null } as const

    assert.isUndefined(move(unsent, 0, 3))
  })

  it("closes when a test is answered, and stays open no longer when a test fails", () => {
    const test = { failures: 1, isTest: true, probeOf: 3, at, random: 0.5 }

    const moves = [200, 500].map((status) => moveAfter({ ...test, attempt: attemptWith(status) }))

    assert.deepStrictEqual(moves, [{ _tag: "Close", openings: 3 }, undefined])
  })

  it("opens with a test as with any other attempt", () => {
    const attempt = attemptWith(500)

    assert.strictEqual(
      moveAfter({ attempt, failures: 5, isTest: true, probeOf: null, at, random: 0.5 })?._tag,
      "Open"
    )
  })

  it("pauses as long as Retry-After says, an hour at most", () => {
    assert.deepStrictEqual(move(attemptWith(429, "90"), 1), { _tag: "Pause", until: seconds(90) })
    assert.deepStrictEqual(move(attemptWith(429, "999999"), 1), { _tag: "Pause", until: seconds(3_600) })
  })

  it("opens for as long as Retry-After says when that is longer", () => {
    assert.deepStrictEqual(move(attemptWith(503, "600"), 5), {
      _tag: "Open",
      openings: 1,
      until: seconds(600)
    })
  })

  it("heeds Retry-After of no other status", () => {
    assert.isUndefined(move(attemptWith(500, "600"), 1))
  })
})

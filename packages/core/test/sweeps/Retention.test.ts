import { assert, describe, it } from "@effect/vitest"
import { instantOf, lowestIdAt } from "@runhook/core/shared/Ids"
import { forgottenAt } from "@runhook/core/sweeps/Retention"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

const settledAt = DateTime.makeUnsafe("2026-03-01T00:00:00Z")
const retention = { delivered: Duration.days(30), dead: Duration.days(90) }

describe("forgottenAt", () => {
  it("counts from the time at which a delivery was settled, longer for dead ones", () => {
    const times = (["delivered", "cancelled", "dead"] as const).map((state) =>
      forgottenAt({ state, settledAt }, retention)
    )

    assert.deepStrictEqual(times, [
      DateTime.add(settledAt, { days: 30 }),
      DateTime.add(settledAt, { days: 30 }),
      DateTime.add(settledAt, { days: 90 })
    ])
  })

  it("is never while a delivery is pending", () => {
    const time = forgottenAt({ state: "pending", settledAt: null }, retention)

    assert.isNull(time)
  })
})

describe("lowestIdAt", () => {
  it("parts the ids of earlier milliseconds from the others", () => {
    const lowest = lowestIdAt(settledAt)

    assert.deepStrictEqual(instantOf(lowest), settledAt)
    assert.isAbove(lowest.localeCompare(lowestIdAt(DateTime.subtract(settledAt, { milliseconds: 1 }))), 0)
  })
})

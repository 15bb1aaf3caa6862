import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { deliveryLifetime } from "../../../src/deliveries/Delivery.ts"
import {
  attemptWaits,
  deliveryAttemptsMax,
  nextAttemptDelay,
  retryAfterMax
} from "../../../src/deliveries/steps/DeliveryBackoff.ts"

const noJitter = 0.5

const attempts = Arbitrary.schema(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: deliveryAttemptsMax - 1 }))
)
const randoms = Arbitrary.schema(
  Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1, exclusiveMaximum: true }))
)
const retryAfters = Arbitrary.map(
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))),
  Duration.seconds
)

const delayMillis = (options: Parameters<typeof nextAttemptDelay>[0]) =>
  Duration.toMillis(nextAttemptDelay(options) ?? Duration.infinity)
const waitMillis = (attempt: number) => Duration.toMillis(attemptWaits[attempt] ?? Duration.infinity)

describe("nextAttemptDelay", () => {
  it("spreads 12 attempts over 70.7 hours", () => {
    const delays = attemptWaits.map((_, attempt) =>
      delayMillis({ attempt, random: noJitter, retryAfter: null })
    )

    assert.strictEqual(delays.length, 12)
    assert.deepStrictEqual(delays.slice(0, 4), [0, 5_000, 30_000, 120_000])
    assert.strictEqual((delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000).toFixed(1), "70.7")
  })

  it("gives up after the last attempt, whatever the receiver asks for", () => {
    const retryAfter = Duration.seconds(1)

    assert.isUndefined(nextAttemptDelay({ attempt: deliveryAttemptsMax, random: noJitter, retryAfter }))
    assert.isUndefined(nextAttemptDelay({ attempt: deliveryAttemptsMax + 1, random: noJitter, retryAfter }))
  })

  it("waits as long as the receiver asks, up to an hour, and never less than the step", () => {
    const asked = [Duration.seconds(10), Duration.minutes(20), Duration.hours(5)]

    const delays = asked.map((retryAfter) => delayMillis({ attempt: 2, random: noJitter, retryAfter }))

    assert.deepStrictEqual(delays, [30_000, 1_200_000, 3_600_000])
  })

  it("makes its last attempt before the delivery expires, with every jitter at its longest", () => {
    const longest = attemptWaits.reduce(
      (sum, _, attempt) => sum + delayMillis({ attempt, random: 1, retryAfter: retryAfterMax }),
      0
    )

    assert.isBelow(longest, Duration.toMillis(deliveryLifetime))
  })

  it.prop("keeps within a fifth of the step", [attempts, randoms], ([attempt, random]) => {
    const delay = delayMillis({ attempt, random, retryAfter: null })

    assert.isAtLeast(delay, waitMillis(attempt) * 0.8)
    assert.isAtMost(delay, waitMillis(attempt) * 1.2)
  })

  it.prop(
    "never shortens a wait for Retry-After",
    [attempts, randoms, retryAfters],
    ([attempt, random, retryAfter]) => {
      const delay = delayMillis({ attempt, random, retryAfter })

      assert.isAtLeast(delay, delayMillis({ attempt, random, retryAfter: null }))
      assert.isAtLeast(delay, Math.min(Duration.toMillis(retryAfter), 3_600_000))
    }
  )
})

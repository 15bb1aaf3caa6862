import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import {
  atOnce,
  RetryBackoff,
  retryBackoffDefault,
  retryWaitMax,
  waitAfter
} from "../../src/executions/RetryBackoff.ts"
import { ExecutionId } from "../../src/shared/Ids.ts"

const id = ExecutionId.make("01900000-0000-7000-8000-000000000001")
const secondsAfter = (attempt: number, retryBackoff: RetryBackoff) =>
  Duration.toSeconds(waitAfter({ id, attempt, retryBackoff }))

const Attempt = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))
const AnyId = Schema.String.check(Schema.isUUID(7))

describe("the wait before the next attempt", () => {
  it("grows by its factor up to its longest", () => {
    const backoff = { ...retryBackoffDefault, maxSeconds: 20, jitter: 0 }

    const waits = [1, 2, 3, 4, 5, 6, 20].map((attempt) => secondsAfter(attempt, backoff))

    assert.deepStrictEqual(waits, [1, 2, 4, 8, 16, 20, 20])
  })

  it("is nothing when nothing is to wait", () => {
    assert.deepStrictEqual(
      [1, 2, 20].map((attempt) => secondsAfter(attempt, atOnce)),
      [0, 0, 0]
    )
  })

  it.prop(
    "varies by its jitter and no more, and is the same each time it is asked for",
    [AnyId, Attempt, RetryBackoff],
    ([text, attempt, retryBackoff]) => {
      const failed = { id: ExecutionId.make(text.toLowerCase()), attempt, retryBackoff }
      const middle = Math.min(
        retryBackoff.maxSeconds,
        retryBackoff.initialSeconds * retryBackoff.factor ** (attempt - 1)
      )

      const wait = Duration.toSeconds(waitAfter(failed))

      assert.isAtLeast(wait, middle * (1 - retryBackoff.jitter) - 0.001)
      assert.isAtMost(wait, middle * (1 + retryBackoff.jitter) + 0.001)
      assert.isAtMost(wait, Duration.toSeconds(retryWaitMax) * 2)
      assert.strictEqual(Duration.toSeconds(waitAfter(failed)), wait)
    }
  )

  it("differs among executions that failed at once", () => {
    const backoff = { ...retryBackoffDefault, initialSeconds: 100, jitter: 1 }
    const ids = Array.from({ length: 50 }, () => ExecutionId.make(crypto.randomUUID()))

    const waits = ids.map((each) => String(waitAfter({ id: each, attempt: 1, retryBackoff: backoff })))

    assert.lengthOf(new Set(waits), ids.length)
  })
})

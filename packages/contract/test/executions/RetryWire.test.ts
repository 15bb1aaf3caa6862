import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NewRetryPolicy } from "../../src/executions/RetryWire.ts"

const decode = Schema.decodeUnknownEffect(NewRetryPolicy)

describe("a retry policy that is set", () => {
  it.effect("needs no more than the number of attempts", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* decode({ max_attempts: 3 }), { max_attempts: 3 })
    })
  )

  it.effect.each([
    [{ max_attempts: 3, initial_seconds: 9, max_seconds: 5 }, "max_seconds"],
    [{ max_attempts: 0 }, "max_attempts"],
    [{ max_attempts: 3, factor: 0.5 }, "factor"],
    [{ max_attempts: 3, jitter: 2 }, "jitter"],
    [{ max_attempts: 3, initial_seconds: -1 }, "initial_seconds"],
    [{ max_attempts: 3, max_seconds: 86_401 }, "max_seconds"]
  ])("is refused by the field that breaks a rule: %j", ([policy, field]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(decode(policy))

      assert.include(String(error), `["${field}"]`)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RequestIds } from "../src/RequestIds.ts"
import { requestIds } from "./Harness.ts"

const many = 1_000

const draw = Effect.flatMap(RequestIds, ({ next }) => Effect.replicateEffect(next, many))

describe("request ids", () => {
  it.effect("have one form and never repeat", () =>
    Effect.gen(function* () {
      const ids = yield* draw.pipe(Effect.provide(requestIds))

      assert.strictEqual(new Set(ids).size, many)
      for (const id of ids) assert.match(id, /^req_[0-9a-z]{20}$/)
    })
  )

  it.effect("draw random bytes for many at once", () =>
    Effect.gen(function* () {
      let draws = 0
      const counting = SecureRandom.make((size) => {
        draws++
        return new Uint8Array(size)
      })

      yield* draw.pipe(
        Effect.provide(
          RequestIds.layer.pipe(Layer.provide(Layer.succeed(SecureRandom.SecureRandom, counting)))
        )
      )

      assert.isAtMost(draws, 10)
    })
  )
})

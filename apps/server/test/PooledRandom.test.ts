import { assert, describe, it } from "@effect/vitest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as PooledRandom from "../src/PooledRandom.ts"

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe("PooledRandom", () => {
  it.effect("hands out no bytes twice", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom

      const drawn = yield* Effect.replicateEffect(random.randomBytes(20), 1_000)

      assert.strictEqual(new Set(drawn.map(textOf)).size, 1_000)
      assert.isTrue(drawn.every(({ length }) => length === 20))
    }).pipe(Effect.provide(PooledRandom.layer))
  )

  it.effect("keeps what it handed out as it was", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom
      const first = yield* random.randomBytes(32)
      const before = textOf(first)

      yield* Effect.replicateEffect(random.randomBytes(32), 1_000)

      assert.strictEqual(textOf(first), before)
    }).pipe(Effect.provide(PooledRandom.layer))
  )

  it.effect("draws as many at once as are asked for", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom

      const bytes = yield* random.randomBytes(100_000)

      assert.strictEqual(bytes.length, 100_000)
      assert.isTrue(bytes.subarray(-1_000).some((byte) => byte !== 0))
    }).pipe(Effect.provide(PooledRandom.layer))
  )
})

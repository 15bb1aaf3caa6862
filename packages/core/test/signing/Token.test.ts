import { assert, describe, it } from "@effect/vitest"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { generate, isToken } from "../../src/signing/Token.ts"

describe("Token", () => {
  it.effect("is 32 random bytes that URLs and cookies may hold, another one each time", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* generate, yield* generate]

      assert.match(one, /^[A-Za-z0-9_-]{43}$/)
      assert.strictEqual(Buffer.from(one, "base64url").length, 32)
      assert.notStrictEqual(one, other)
    }).pipe(Effect.provide(layerWebCrypto))
  )

  it.effect("is known by its form, so that nothing else is looked up", () =>
    Effect.gen(function* () {
      const token = yield* generate

      assert.isTrue(isToken(token))
      assert.deepStrictEqual(["", token.slice(1), `${token}A`, `${token.slice(1)}=`].map(isToken), [
        false,
        false,
        false,
        false
      ])
    }).pipe(Effect.provide(layerWebCrypto))
  )
})

import { assert, describe, it } from "@effect/vitest"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SigningSecret from "../../src/signing/SigningSecret.ts"

const known = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

describe("SigningSecret", () => {
  it.effect("makes secrets that can be read", () =>
    Effect.gen(function* () {
      const secret = yield* SigningSecret.generate

      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.isTrue(Result.isSuccess(SigningSecret.parse(secret)))
    }).pipe(Effect.provide(layerWebCrypto))
  )

  it("stands for its text as a whole and for the bytes behind the marker", () => {
    const { whole, decoded } = Result.getOrThrow(SigningSecret.parse(known))

    assert.strictEqual(whole.export().toString("utf8"), known)
    assert.deepStrictEqual(
      [...decoded.export()],
      Array.from({ length: 32 }, (_, index) => index)
    )
  })

  it.each(["", "whsec_", known.slice("whsec_".length), known.toUpperCase(), `${known} `, "whsec_c2hvcnQ="])(
    "refuses %j without repeating it",
    (text) => {
      const { message } = Result.getOrThrow(Result.flip(SigningSecret.parse(text)))

      assert.strictEqual(message, 'A signing secret is "whsec_" followed by the base64 of 32 bytes')
    }
  )
})

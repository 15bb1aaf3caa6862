/** That secrets are compared by what takes the same time for all: how often Node is asked to, with its own function. */
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { generatePepper, hash, matches, parsePepper } from "@runhook/core/signing/ApiKey"
import { isEqualInConstantTime } from "@runhook/core/signing/ConstantTime"
import * as SignedToken from "@runhook/core/signing/SignedToken"
import { parse } from "@runhook/core/signing/SigningSecret"
import { sign, verify } from "@runhook/core/signing/WebhookSignature"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** How often two texts were compared in constant time. */
const comparisonsOf = (work: () => unknown): number => {
  const { timingSafeEqual } = crypto
  let comparisons = 0
  const using = (compare: typeof timingSafeEqual) => {
    crypto.timingSafeEqual = compare
    syncBuiltinESMExports()
  }
  try {
    using((one, other) => {
      comparisons++
      return timingSafeEqual(one, other)
    })
    work()
    return comparisons
  } finally {
    using(timingSafeEqual)
  }
}

const at = DateTime.makeUnsafe("2030-01-01T00:00:00.000Z")
const grantKey = crypto.createSecretKey(Buffer.alloc(32, 7))

describe("isEqualInConstantTime", () => {
  it("compares texts of one length as a whole", () => {
    assert.strictEqual(
      comparisonsOf(() => isEqualInConstantTime("abc", "xbc")),
      1
    )
  })

  it.effect("compares a key with its hash", () =>
    Effect.gen(function* () {
      const pepper = yield* Effect.fromOption(parsePepper(yield* generatePepper))
      const known = hash(pepper, "the key")

      const counts = ["the key", "another"].map((key) =>
        comparisonsOf(() => matches({ pepper, key, hash: known }))
      )

      assert.deepStrictEqual(counts, [1, 1])
    }).pipe(Effect.provide(layerWebCrypto))
  )

  it("compares the signature of a callback", () => {
    const keys = Result.getOrThrow(parse(`whsec_${Buffer.alloc(32, 7).toString("base64")}`))
    const sent = { body: "{}", timestamp: String(at.epochMilliseconds / 1_000) }
    const signatures = [sign(keys, sent), "0".repeat(64)]

    const counts = signatures.map((signature) =>
      comparisonsOf(() => verify([keys], { ...sent, signature, eventId: undefined, receivedAt: at }))
    )

    assert.deepStrictEqual(counts, [1, 1])
  })

  it("compares the signature of a URL", () => {
    const token = SignedToken.sign(grantKey, "upload", { payload: {}, expiresAt: at })

    const counts = ["upload", "download"].map((purpose) =>
      comparisonsOf(() => SignedToken.verify(grantKey, purpose, { token, at }))
    )

    assert.deepStrictEqual(counts, [1, 1])
  })
})

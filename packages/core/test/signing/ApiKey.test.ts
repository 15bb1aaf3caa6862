import { createSecretKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ApiKey from "../../src/signing/ApiKey.ts"

const pepper = createSecretKey(new Uint8Array(32).fill(7))
const otherPepper = createSecretKey(new Uint8Array(32).fill(8))

/** A key that was made once: its form and its hash must never change. */
const known = "rhlive_0123ABab_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz34PYdV"

const kinds = Schema.Literals(["live", "runner", "admin"])

/** Keys as they are made, from the random bytes of a seed. */
const keys = Arbitrary.map(
  Arbitrary.all([Arbitrary.schema(kinds), Arbitrary.schema(Schema.Int)]),
  ([kind, seed]) => ({ kind, ...Effect.runSync(made(kind, seed)) })
)

const made = (kind: ApiKey.ApiKeyKind, seed: number) => {
  let state = seed
  const random = SecureRandom.make((size) =>
    Uint8Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return state >>> 24
    })
  )
  return Effect.provideService(ApiKey.generate(kind), SecureRandom.SecureRandom, random)
}

describe("ApiKey", () => {
  it.effect("makes keys of the documented form, never the same", () =>
    Effect.gen(function* () {
      const fresh = yield* Effect.replicateEffect(ApiKey.generate("live"), 50)

      assert.isTrue(fresh.every(({ key }) => /^rhlive_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/.test(key)))
      assert.strictEqual(new Set(fresh.map(({ key }) => key)).size, fresh.length)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it.effect("uses every digit about equally often", () =>
    Effect.gen(function* () {
      const fresh = yield* Effect.replicateEffect(ApiKey.generate("live"), 400)

      const digits = fresh.flatMap(({ key }) => key.slice("rhlive_".length + 9, -6).split(""))
      const counts = [...Map.groupBy(digits, (digit) => digit).values()].map(({ length }) => length)

      const expected = digits.length / 62
      const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      assert.strictEqual(counts.length, 62)
      // With 61 degrees of freedom a fair source exceeds this once in ten million runs.
      assert.isBelow(chiSquare, 133)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it("reads a key of each kind", () => {
    assert.deepStrictEqual(ApiKey.parse(known), { kind: "live", prefix: "0123ABab" })
  })

  it.effect("keeps the prefix of a key that is made anew", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Effect.replicateEffect(
        ApiKey.regenerate({ kind: "runner", prefix: "0123ABab" }),
        2
      )

      assert.notStrictEqual(one, other)
      assert.deepStrictEqual(ApiKey.parse(one ?? ""), { kind: "runner", prefix: "0123ABab" })
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it.prop("reads back what it makes", [keys], ([{ kind, key }]) => {
    assert.deepStrictEqual(ApiKey.parse(key), { kind, prefix: key.split("_")[1] })
  })

  it.prop("refuses a key with one wrong character", [keys, Schema.Int, kinds], ([{ key }, at, text]) => {
    const position = Math.abs(at) % key.length
    const wrong = text.charAt(Math.abs(at) % text.length)
    const mistyped = key.slice(0, position) + wrong + key.slice(position + 1)

    assert.isTrue(mistyped === key || ApiKey.parse(mistyped) === undefined)
  })

  it.each([
    ["nothing", ""],
    ["another marker", known.replace("rhlive", "rhlivx")],
    ["another kind's marker", known.replace("rhlive", "rhadmin")],
    ["the name of an inherited property", known.replace("rhlive", "constructor")],
    ["a line break", `${known}\n`],
    ["an operator's own text", "correct horse battery staple, twice"]
  ])("refuses %s", (_, text) => {
    assert.isUndefined(ApiKey.parse(text))
  })

  it("hashes to the same text for ever", () => {
    assert.strictEqual(
      ApiKey.hash(pepper, known),
      "cd0588b1bfd405a3f00c9af4a70eaf69651483c3448b931feb226489f2ccd538"
    )
  })

  it.prop(
    "matches its own hash under its own pepper only",
    [Schema.String, Schema.String],
    ([key, guess]) => {
      const hash = ApiKey.hash(pepper, key)

      assert.isTrue(ApiKey.matches({ pepper, key, hash }))
      assert.isFalse(ApiKey.matches({ pepper: otherPepper, key, hash }))
      assert.strictEqual(
        ApiKey.matches({ pepper, key: guess, hash }),
        guess.toWellFormed() === key.toWellFormed()
      )
    }
  )

  it("matches nothing against a broken hash", () => {
    assert.isFalse(ApiKey.matches({ pepper, key: known, hash: "" }))
  })
})

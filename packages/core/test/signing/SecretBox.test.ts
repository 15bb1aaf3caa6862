import { assert, describe, it } from "@effect/vitest"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as KeyRing from "../../src/signing/KeyRing.ts"
import * as SecretBox from "../../src/signing/SecretBox.ts"

const old = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const recent = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

const ringOf = (setting: string) => Result.getOrThrow(KeyRing.parse(setting))
const ring = ringOf(old)
const row = { purpose: "signing secret", id: "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f" }

const seal = (text: string) => Effect.provide(SecretBox.seal(ring, row, text), layerWebCrypto)

const refusal = (result: ReturnType<typeof SecretBox.open>) => Result.getOrThrow(Result.flip(result)).reason

/** The sealed text with one bit of its content turned. */
const withBitTurned = (sealed: string, bit: number): string => {
  const [version, id, content = ""] = sealed.split(".")
  const bytes = Buffer.from(content, "base64url")
  const position = bit % (bytes.length * 8)
  bytes.writeUInt8(bytes.readUInt8(position >> 3) ^ (1 << (position & 7)), position >> 3)
  return [version, id, bytes.toString("base64url")].join(".")
}

describe("SecretBox", () => {
  it.effect.prop("opens what it sealed", [Schema.String], ([text]) =>
    Effect.gen(function* () {
      const sealed = yield* seal(text)

      assert.strictEqual(Result.getOrThrow(SecretBox.open(ring, row, sealed)), text.toWellFormed())
    })
  )

  it.effect("seals the same text differently each time, and does not show it", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* seal("whsec_secret"), yield* seal("whsec_secret")]

      assert.notStrictEqual(one, other)
      assert.notInclude(one, "whsec")
      assert.match(one, new RegExp(`^v1\\.${ring[0].id}\\.[A-Za-z0-9_-]+$`))
    })
  )

  it("opens what an earlier release sealed", () => {
    const sealed = "v1.23ea6ff3ab7c8520.AAECAwQFBgcICQoLPfzhJZddirOnTpD588bPEhw85sNxPl0o9fnOTg"

    assert.strictEqual(Result.getOrThrow(SecretBox.open(ring, row, sealed)), "whsec_secret")
  })

  it.effect("still opens what an older key sealed", () =>
    Effect.gen(function* () {
      const sealed = yield* seal("secret")

      assert.strictEqual(Result.getOrThrow(SecretBox.open(ringOf(`${recent},${old}`), row, sealed)), "secret")
      assert.strictEqual(refusal(SecretBox.open(ringOf(recent), row, sealed)), "unknown_key")
    })
  )

  it.effect("does not open for another row or another purpose", () =>
    Effect.gen(function* () {
      const sealed = yield* seal("secret")

      assert.strictEqual(refusal(SecretBox.open(ring, { ...row, id: "another" }, sealed)), "not_authentic")
      assert.strictEqual(
        refusal(SecretBox.open(ring, { ...row, purpose: "another" }, sealed)),
        "not_authentic"
      )
    })
  )

  it.effect.prop("does not open when a bit was turned", [Schema.String, Schema.Int], ([text, bit]) =>
    Effect.gen(function* () {
      const changed = withBitTurned(yield* seal(text), Math.abs(bit))

      assert.strictEqual(refusal(SecretBox.open(ring, row, changed)), "not_authentic")
    })
  )

  it.each(["", "secret", "v1..", `v1.${ring[0].id}.AAAA`, `v2.${ring[0].id}.${"A".repeat(60)}`])(
    "refuses %j",
    (text) => {
      assert.strictEqual(refusal(SecretBox.open(ring, row, text)), "malformed")
    }
  )

  it("says whose secret is lost and why", () => {
    const result = SecretBox.open(ring, row, `v1.${"0".repeat(16)}.${"A".repeat(60)}`)

    assert.strictEqual(
      Result.getOrThrow(Result.flip(result)).message,
      `The signing secret of ${row.id} cannot be opened: it was sealed under a secret key that is not configured`
    )
  })
})

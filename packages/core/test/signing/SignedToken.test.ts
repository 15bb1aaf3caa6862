import { createSecretKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SignedToken from "../../src/signing/SignedToken.ts"
import { ReadableObject } from "../../src/shared/json/Json.ts"

const key = createSecretKey(new Uint8Array(32).fill(7))
const otherKey = createSecretKey(new Uint8Array(32).fill(8))
const purpose = "download"
const expiresAt = DateTime.makeUnsafe("2026-03-07T09:35:00Z")
const at = DateTime.makeUnsafe("2026-03-07T09:30:00Z")
const payload = { artifact_id: "0198c5a2", size: 3 }
const token = SignedToken.sign(key, purpose, { payload, expiresAt })

/** Payloads that a token has room for. */
const payloads = Arbitrary.filter(
  Arbitrary.schema(ReadableObject),
  (given) =>
    SignedToken.sign(key, purpose, { payload: given, expiresAt }).length <= SignedToken.tokenLengthMax
)

const refusal = (result: ReturnType<typeof SignedToken.verify>) =>
  Result.getOrThrow(Result.flip(result)).reason

describe("SignedToken", () => {
  it("signs the same grant to the same text for ever", () => {
    assert.strictEqual(
      token,
      "WzE3NzI4NzYxMDAwMDAseyJhcnRpZmFjdF9pZCI6IjAxOThjNWEyIiwic2l6ZSI6M31d.5XAF3zq7kTus1oNWcYCN1e1-biJyNmaUcsNc7WED8qk"
    )
  })

  it.prop("gives back any payload", [payloads], ([given]) => {
    const made = SignedToken.sign(key, purpose, { payload: given, expiresAt })

    const granted = Result.getOrThrow(SignedToken.verify(key, purpose, { token: made, at }))

    assert.strictEqual(JSON.stringify(granted), JSON.stringify(given))
  })

  it("expires at its moment, to the millisecond", () => {
    const before = DateTime.subtract(expiresAt, { milliseconds: 1 })

    assert.deepStrictEqual(SignedToken.verify(key, purpose, { token, at: before }), Result.succeed(payload))
    assert.strictEqual(refusal(SignedToken.verify(key, purpose, { token, at: expiresAt })), "expired")
  })

  it("is worthless for another purpose and under another key", () => {
    assert.strictEqual(refusal(SignedToken.verify(key, "upload", { token, at })), "forged")
    assert.strictEqual(refusal(SignedToken.verify(otherKey, purpose, { token, at })), "forged")
  })

  it.prop("is refused with any character changed", [Schema.Int, Schema.String], ([position, text]) => {
    const index = Math.abs(position) % token.length
    const changed = token.slice(0, index) + text + token.slice(index + 1)

    assert.isTrue(
      changed === token || Result.isFailure(SignedToken.verify(key, purpose, { token: changed, at }))
    )
  })

  it.each([
    "",
    ".",
    token.replace(".", ""),
    `${token}=`,
    `${token}\n`,
    `${"A".repeat(4_096)}.${"A".repeat(43)}`
  ])("is malformed as %j", (text) => {
    assert.strictEqual(refusal(SignedToken.verify(key, purpose, { token: text, at })), "malformed")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Option from "effect/Option"
import * as Base64Key from "../../src/signing/Base64Key.ts"

describe("Base64Key", () => {
  it.effect("makes keys of 32 bytes, never the same", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.replicateEffect(Base64Key.generate, 50)

      assert.isTrue(keys.every((key) => Option.getOrThrow(Base64Key.decode(key)).length === 32))
      assert.strictEqual(new Set(keys).size, keys.length)
    }).pipe(Effect.provide(layerWebCrypto))
  )

  const key = Base64.encode(Uint8Array.from({ length: 32 }, (_, index) => index))

  it.each([
    ["31 bytes", Base64.encode(new Uint8Array(31))],
    ["33 bytes", Base64.encode(new Uint8Array(33))],
    ["no padding", key.slice(0, -1)],
    ["a second spelling of the same bytes", key.replace(/8=$/, "9=")],
    ["base64url", key.replace("A", "_")],
    ["a line break", `${key}\n`],
    ["nothing", ""]
  ])("refuses %s", (_, text) => {
    assert.isTrue(Option.isNone(Base64Key.decode(text)))
  })
})

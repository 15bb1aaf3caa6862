import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as KeyRing from "../../src/signing/KeyRing.ts"

const one = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

const ringOf = (setting: string) => Result.getOrThrow(KeyRing.parse(setting))
const bytesOf = ({ sealing, fileGrant }: KeyRing.Keys) =>
  [sealing, fileGrant].map((key) => key.export().toString("hex"))

describe("KeyRing", () => {
  it("derives the same keys from the same secret, now and in later releases", () => {
    const [keys] = ringOf(one)

    assert.strictEqual(keys.id, "23ea6ff3ab7c8520")
    assert.deepStrictEqual(bytesOf(keys), [
      "efcd4c4de979ad1732b81d98219f45833916f42bd2cef6bed6095faccf0119e0",
      "c541349c4a5a223623da295834721b43ac2c77ae3d4a712df19e0bb1a2c42f57"
    ])
    assert.deepInclude(keys.evidence, {
      kid: "lEWYpY-t7iJTxlyJDZynelJfvHJjxokwpIcoMPfQ5N4",
      x: "2tjxEL5JCBClFLzohRLuDQE4je36sB3mA_VhWdP_-LI"
    })
  })

  it.each([`${other},${one}`, ` ${other} , ${one}\n`, `${other}\n${one}\n`, `${other},\r\n${one}`])(
    "reads several secrets, newest first: %j",
    (setting) => {
      const ring = ringOf(setting)

      assert.deepStrictEqual(
        ring.map(({ id }) => id),
        [...ringOf(other), ...ringOf(one)].map(({ id }) => id)
      )
      assert.strictEqual(new Set(ring.flatMap(bytesOf)).size, 4)
    }
  )

  it("says which secret is given twice, and does not show it", () => {
    const { message } = Result.getOrThrow(Result.flip(KeyRing.parse(`${other},${one},${other}`)))

    assert.strictEqual(message, "Secret key 3 is there before")
  })

  it.each([
    ["", 1],
    ["secret", 1],
    [one.slice(0, -1), 1],
    [`${one},secret`, 2],
    [`${one},`, 2]
  ])("says in one line which secret of %j is wrong, and never shows one", (setting, position) => {
    const { message } = Result.getOrThrow(Result.flip(KeyRing.parse(setting)))

    assert.strictEqual(
      message,
      `Secret key ${position} is not the base64 of 32 bytes (44 characters); make one with: openssl rand -base64 32`
    )
  })

  it("does not show its keys when printed", () => {
    const [keys] = ringOf(one)
    const { kid, x } = keys.evidence

    const shown = {
      id: keys.id,
      sealing: {},
      fileGrant: {},
      evidence: { kid, x, privateKey: {} },
      backup: {}
    }
    assert.strictEqual(JSON.stringify(keys), JSON.stringify(shown))
  })
})

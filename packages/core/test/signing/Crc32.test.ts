import { assert, describe, it } from "@effect/vitest"
import { crc32 } from "../../src/signing/Crc32.ts"

describe("crc32", () => {
  it("gives the check value of the standard", () => {
    assert.strictEqual(crc32("123456789"), 0xcbf43926)
    assert.strictEqual(crc32(""), 0)
  })
})

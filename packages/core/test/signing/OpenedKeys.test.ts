import { createSecretKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { hash } from "../../src/signing/ApiKey.ts"
import { makeOpens, openedMax } from "../../src/signing/OpenedKeys.ts"

const pepper = createSecretKey(new Uint8Array(32).fill(7))
const hashOf = (key: string) => hash(pepper, key)

describe("makeOpens", () => {
  it("finds the hash of a key among several, the first time and again", () => {
    const opens = makeOpens(pepper)

    for (const time of ["first", "again"]) {
      assert.isTrue(opens("mine", [hashOf("other"), hashOf("mine")]), time)
    }
  })

  it("goes by the hashes that it is given, whatever a key opened before", () => {
    const opens = makeOpens(pepper)
    opens("mine", [hashOf("mine")])

    assert.isFalse(opens("mine", [hashOf("other")]))
    assert.isFalse(opens("mine", []))
    assert.isFalse(opens("min", [hashOf("mine")]))
  })

  it("remembers no key that opened nothing", () => {
    const opens = makeOpens(pepper)
    opens("guess", [hashOf("mine")])

    assert.isTrue(opens("guess", [hashOf("guess")]))
  })

  it("checks a key anew when more have come since than it remembers", () => {
    const opens = makeOpens(pepper)
    opens("mine", [hashOf("mine")])
    for (let key = 0; key < openedMax; key++) opens(`${key}`, [hashOf(`${key}`)])

    assert.isTrue(opens("mine", [hashOf("mine")]))
    assert.isFalse(opens("mine", [hashOf("other")]))
  })
})

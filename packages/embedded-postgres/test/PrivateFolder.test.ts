import { assert, describe, it } from "@effect/vitest"
import { homeFor } from "../src/PrivateFolder.ts"

describe("the folder of the socket", () => {
  it("lies in the temporary folder", () => {
    assert.strictEqual(homeFor("/var/tmp"), "/var/tmp")
  })

  it("lies in /tmp when a socket in the temporary folder had too long a path", () => {
    assert.strictEqual(homeFor(`/${"x".repeat(60)}`), "/tmp")
  })
})

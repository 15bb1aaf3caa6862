import { describe, it } from "@effect/vitest"
import * as TestSchema from "effect/testing/TestSchema"
import { Reference, referenceLengthMax } from "../../src/executions/Execution.ts"

describe("Reference", () => {
  const asserts = new TestSchema.Asserts(Reference)
  const [decoding, arbitrary] = [asserts.decoding(), asserts.arbitrary()]

  it("has 1 to 255 code points", async () => {
    await decoding.succeed("r")
    await decoding.succeed("😀".repeat(referenceLengthMax))
    await decoding.fail("", "Expected a string with between 1 and 255 code points")
    await decoding.fail(
      "r".repeat(referenceLengthMax + 1),
      "Expected a string with between 1 and 255 code points"
    )
  })

  it("can be stored", async () => {
    await decoding.fail("a\u0000b", "must not contain the null character (\\u0000)")
    await decoding.fail("a\ud800b", "must not contain half of a surrogate pair")
  })

  it("generates what it accepts", () => {
    arbitrary.verifyGeneration()
  })
})

import { describe, it } from "@effect/vitest"
import * as TestSchema from "effect/testing/TestSchema"
import { IdempotencyKey } from "../../../src/executions/create/CreateExecution.ts"

describe("IdempotencyKey", () => {
  const asserts = new TestSchema.Asserts(IdempotencyKey)
  const [decoding, arbitrary] = [asserts.decoding(), asserts.arbitrary()]
  const rule = "Expected 1 to 255 visible ASCII characters"

  it("is 1 to 255 visible ASCII characters", async () => {
    await decoding.succeed("!~0189-3f_ORDER/42")
    await decoding.succeed("k".repeat(255))
  })

  it.each(["", "k".repeat(256), "two words", "tab\t", "new\nline", "end\n", "schlüssel", "\u007f", "\u0000"])(
    "refuses %j",
    (key) => decoding.fail(key, rule)
  )

  it("generates what it accepts", () => {
    arbitrary.verifyGeneration()
  })
})

import { assert, describe, it } from "@effect/vitest"
import { ExecutionItem } from "@runhook/contract/wire/ExecutionWire"
import { executionText } from "../src/ExecutionToWire.ts"
import { textOf } from "../src/Listing.ts"

const contractText = textOf(ExecutionItem)

describe("the text of a listed execution", () => {
  it.prop("is what the contract makes of it", [ExecutionItem], ([item]) => {
    assert.strictEqual(executionText(item), contractText(item))
  })
})

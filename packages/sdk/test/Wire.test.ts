/** The types of the APIs' JSON are those of the contract. */
import { readFileSync } from "node:fs"
import { assert, describe, expectTypeOf, it } from "vitest"
import { wireFiles } from "../generate/WireFiles.ts"
import type * as Sdk from "../src/Runhook.ts"
import type * as Generated from "../src/wire/Integration.generated.ts"

describe("the types of the wire", () => {
  it.each(Object.entries(wireFiles))("%s is what `npm run generate` makes of the contract", (path, text) => {
    assert.strictEqual(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"), text)
  })

  it("know every event of today, told apart by its type", () => {
    const messageOf = (event: Sdk.WebhookEvent): string | null =>
      event.type === "webhook.test" ? event.message : event.execution.error_message

    expectTypeOf(messageOf).returns.toEqualTypeOf<string | null>()
    expectTypeOf<Sdk.WebhookEvent["type"]>().toEqualTypeOf<Sdk.KnownDeliveryEventType>()
    expectTypeOf<Sdk.ExecutionEvent["execution"]>().toEqualTypeOf<Generated.EventExecution>()
  })

  it("open the words of answers, and close those of requests", () => {
    expectTypeOf<"paused">().toExtend<Sdk.Execution["status"]>()
    expectTypeOf<"paused">().not.toExtend<Sdk.ExecutionFilter["status"]>()
  })

  it("let callers say undefined where they may say nothing", () => {
    expectTypeOf<{ readonly reference: undefined }>().toExtend<Pick<Sdk.CreateExecution, "reference">>()
  })
})

import { Name } from "@runhook/core/accounts/Account"
import { Reference } from "@runhook/core/executions/Execution"
import { CallerMetadata } from "@runhook/core/executions/Metadata"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { isStorable } from "@runhook/core/shared/json/JsonText"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { described } from "../../src/shared/Described.ts"
import { text } from "../../src/runs/RunnerFields.ts"

describe("described", () => {
  it.each([
    ["a name", Name],
    ["a reference", Reference],
    ["metadata", CallerMetadata],
    ["a text that can be stored", text(1, 2)],
    ["JSON that can be stored", KnownJsonObject.check(isStorable)],
    ["a number", Schema.Int]
  ])("says in the document what %s means, whatever it is checked for", (_, schema: Schema.Top) => {
    const document = Schema.toJsonSchemaDocument(described("What it means.")(schema))

    assert.include(JSON.stringify(document.schema), '"description":"What it means."')
  })
})

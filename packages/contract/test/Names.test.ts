import { assert, describe, it } from "@effect/vitest"
import type { Part } from "../src/openapi/Document.ts"
import { type ApiName, placesInRequests, placesOf } from "./Documents.ts"

/** What requests call by a name for people, wherever its schema stands. */
const namesIn = (api: ApiName) =>
  placesInRequests(api).filter(
    ({ part, path }) =>
      part["type"] === "string" && /^(?:(?:runner_)?name|handler|instance_id)$/.test(path.at(-1) ?? "")
  )

/** The patterns that a text has to meet, beside its schema or within. */
const patternsOf = (part: Part): ReadonlyArray<RegExp> =>
  placesOf(part).flatMap(({ part: { pattern } }) =>
    pattern === undefined ? [] : [new RegExp(String(pattern), "u")]
  )

describe.each(["admin", "runner"] as const)("the names that requests of the %s API give", (api) => {
  it.each([
    { what: "a line break", text: "Ada\nLovelace" },
    { what: "another line break", text: "Ada\u2028Lovelace" },
    { what: "a control character", text: "Ada\u001b[31m" },
    { what: "what turns the direction of writing", text: "invoice\u202efdp.exe" }
  ])("are one line, without $what", ({ text }) => {
    const taken = namesIn(api).filter(({ part }) => patternsOf(part).every((each) => each.test(text)))

    assert.deepStrictEqual(taken, [])
    assert.isNotEmpty(namesIn(api))
  })
})

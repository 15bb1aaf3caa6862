import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { partOf } from "../src/openapi/Document.ts"
import { bodyExamples } from "../src/openapi/Examples.ts"
import { errorExamples } from "../src/openapi/examples/Errors.ts"
import { requestParsing } from "../src/RequestRules.ts"
import { apiNames, documents, type Place, placesOf } from "./Documents.ts"

const all = Object.entries({ ...bodyExamples, ...errorExamples })

/** Everything that is sent as JSON, in operations and webhooks. */
const bodies: ReadonlyArray<Place> = apiNames.flatMap((name) => {
  const { paths, webhooks } = partOf(documents[name])
  return placesOf({ paths, webhooks }, [name]).filter(({ path }) => path.at(-1) === "application/json")
})

const ownDescription = ({ path }: Place) => path.some((part) => part.endsWith("/openapi.json"))

describe("the examples of the OpenAPI documents", () => {
  it.effect.each(all)("%s is what the contract says, with nothing beside", ([, { schema, value }]) =>
    Schema.decodeUnknownEffect(schema)(value, requestParsing).pipe(Effect.asVoid)
  )

  it("stand beside every body", () => {
    const without = bodies.filter(
      (body) => !("example" in body.part) && !("examples" in body.part) && !ownDescription(body)
    )

    assert.deepStrictEqual(
      without.map(({ path }) => path.join(" ")),
      []
    )
  })

  it("are all of bodies that some operation has", () => {
    const shown = new Set(
      bodies.flatMap(({ part }) =>
        [...JSON.stringify(part["schema"]).matchAll(/schemas\/(\w+)/g)].map(([, name]) => name)
      )
    )

    assert.deepStrictEqual(
      Object.keys(bodyExamples).filter((name) => !shown.has(name)),
      []
    )
  })
})

/** Examples from an OpenAPI document, or made from a schema where it has none. */
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import { alternatives, listOf, type Resolve, textOf } from "./Schema.ts"

export interface Example {
  readonly title: string | undefined
  readonly value: unknown
}

/** The examples of a body, a parameter or an answer: its own, or else one made from its schema. */
export const examplesOf = (
  holder: Part,
  resolve: Resolve,
  { complete }: { /** Whether optional fields are shown too. */ readonly complete: "all" | "required" }
): ReadonlyArray<Example> => {
  const named = Object.entries(partOf(holder["examples"])).map(([name, given]) => {
    const example = resolve(partOf(given))
    return { title: textOf(example["summary"]) ?? name, value: example["value"] }
  })
  if (named.length > 0) return named
  if ("example" in holder) return [{ title: undefined, value: holder["example"] }]
  return [{ title: undefined, value: exampleOf(partOf(holder["schema"]), resolve, complete) }]
}

const samples: { readonly [format: string]: string } = {
  uuid: "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f",
  "date-time": "2026-01-31T09:30:00.000Z",
  date: "2026-01-31",
  uri: "https://example.com/hook",
  email: "ada@example.com"
}

const depthMax = 8

const exampleOf = (schema: Part, resolve: Resolve, complete: "all" | "required", depth = 0): unknown => {
  const given = resolve(schema)
  const told = toldOf(given)
  if (told !== undefined) return told.value
  const [first = {}] = alternatives(given, resolve)
  const toldOfFirst = toldOf(first)
  if (toldOfFirst !== undefined) return toldOfFirst.value
  if (depth > depthMax) return null
  switch (first["type"]) {
    case "object": {
      const required = listOf(first["required"])
      return Object.fromEntries(
        Object.entries(partOf(first["properties"]))
          .filter(([key]) => complete === "all" || required.includes(key))
          .map(([key, value]) => [key, exampleOf(partOf(value), resolve, complete, depth + 1)])
      )
    }
    case "array":
      return [exampleOf(partOf(first["items"]), resolve, complete, depth + 1)]
    case "string":
      return samples[textOf(first["format"]) ?? ""] ?? "text"
    case "integer":
    case "number":
      return Math.max(1, typeof first["minimum"] === "number" ? first["minimum"] : 1)
    case "boolean":
      return true
    case "null":
      return null
    default:
      return {}
  }
}

/** The value that a schema itself gives. */
const toldOf = (schema: Part): { readonly value: unknown } | undefined => {
  const given = [
    ...listOf(schema["examples"]),
    schema["example"],
    schema["const"],
    ...listOf(schema["enum"])
  ].filter((value) => value !== undefined)
  return given.length > 0 ? { value: given[0] } : undefined
}

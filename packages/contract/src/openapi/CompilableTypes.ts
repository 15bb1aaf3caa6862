/**
 * Forms of answers and requests for which generators write code that compiles. Those for Java do not for the only value
 * of a boolean or a number, for null alone, and for a set of words that has no name.
 */
import * as Record from "effect/Record"
import { type Part, partOf } from "./Document.ts"

/** The names of sets of words, by the fields that hold them. */
const namesOfWords: { readonly [field: string]: string } = {
  event_types: "ExecutionEventType",
  kinds: "AlertKind"
}

const always = ({ description, ...schema }: Part, value: unknown): Part => ({
  ...schema,
  description: [description, `Always \`${JSON.stringify(value)}\`.`].filter(Boolean).join(" ")
})

/** A constant that is no text, as its type. */
const plain = (schema: Part): Part => {
  if (schema["type"] === "null") return always({ ...schema, type: ["object", "null"], const: null }, null)
  const { enum: values, ...rest } = schema
  if (!Array.isArray(values) || values.length !== 1) return schema
  const [value]: ReadonlyArray<unknown> = values
  if (typeof value === "boolean") return always(rest, value)
  return typeof value === "number" ? always({ ...rest, type: "integer" }, value) : schema
}

/** The document with its schemas in these forms. */
export const compilableTypes = (document: Part): Part => {
  const words: { [name: string]: unknown } = {}

  const walked = (part: unknown, field: string): unknown => {
    if (Array.isArray(part)) return part.map((each) => walked(each, field))
    if (typeof part !== "object" || part === null) return part
    const name = namesOfWords[field]
    const { items, uniqueItems } = partOf(part)
    if (uniqueItems === true && name !== undefined && "enum" in partOf(items)) {
      words[name] = items
      return { ...part, items: { $ref: `#/components/schemas/${name}` } }
    }
    return Record.map(partOf(part), (member, key) => {
      if (key === "example" || key === "examples") return member
      if (key !== "properties") return walked(member, field)
      return Record.map(partOf(member), (schema, property) => walked(plain(partOf(schema)), property))
    })
  }

  const { components, ...rest } = partOf(walked(document, ""))
  const { schemas, ...others } = partOf(components)
  return { ...rest, components: { ...others, schemas: { ...partOf(schemas), ...words } } }
}

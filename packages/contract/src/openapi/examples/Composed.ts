/** Composes the example of a body: of each of its fields the example that the story has. */
import * as Record from "effect/Record"
import { type Part, partOf } from "../Document.ts"
import { fields } from "./Fields.ts"
import { fieldsOf, shown } from "./ObjectFields.ts"

/** What a value is that the story does not tell of. */
const plain: Part = {
  integer: 1,
  number: 1,
  boolean: false,
  object: {},
  string: "...",
  "date-time": "2026-03-03T09:30:00.000Z"
}

/** Examples of the schemas of a document, by their names. */
export const composer = (schemas: Part) => {
  const followed = (schema: unknown): Part => {
    const { $ref } = partOf(schema)
    return typeof $ref === "string" ? partOf(schemas[nameIn($ref)]) : partOf(schema)
  }

  /** The example of a field that an object has. */
  const fieldOf = (schema: unknown, name: string, owner: string): unknown => {
    const rows = fieldsOf.flatMap(([object, row]) => (object.test(owner) ? [row] : []))
    const told = [...rows, fields].flatMap((row) => (name in row ? [row[name]] : []))
    const index = told.findIndex((value) => takes(followed(schema), value))
    return index === -1 ? valueOf(schema, name) : told[index]
  }

  const takes = (schema: Part, value: unknown): boolean => {
    const { anyOf, const: only, enum: words, type } = schema
    if (Array.isArray(anyOf)) return anyOf.some((each) => takes(followed(each), value))
    if (only !== undefined) return only === value
    if (Array.isArray(words)) return words.includes(value)
    if (type === undefined) return true
    if (Array.isArray(value))
      return type === "array" && value.every((each) => takes(followed(schema["items"]), each))
    return (
      type ===
      (value === null ? "null" : Number.isInteger(value) && type !== "number" ? "integer" : typeof value)
    )
  }

  /** `owner` is the name of the component, or else of the field, that contains it. */
  const valueOf = (schema: unknown, owner: string): unknown => {
    const { $ref } = partOf(schema)
    if (typeof $ref === "string") return valueOf(followed(schema), nameIn($ref))
    const { anyOf, const: only, enum: words, format, items, minimum, properties, type } = partOf(schema)
    if (only !== undefined) return only
    if (Array.isArray(words)) return words[0]
    if (Array.isArray(anyOf)) {
      const isNullable = anyOf.some((each) => partOf(each)["type"] === "null")
      return isNullable && !anyOf.some((each) => "$ref" in partOf(each)) ? null : valueOf(anyOf[0], owner)
    }
    if (type === "array") return [valueOf(items, owner)]
    if (properties !== undefined) return objectOf(partOf(schema), owner)
    if (typeof minimum === "number" && minimum > 1) return minimum
    return plain[String(format)] ?? plain[String(type)] ?? null
  }

  const objectOf = ({ properties, required }: Part, owner: string): Part => {
    const names = new Set([...(Array.isArray(required) ? required : []), ...(shown[owner] ?? "").split(" ")])
    const told = Record.filter(partOf(properties), (_, name) => names.has(name))
    return Record.map(told, (schema, name) => fieldOf(schema, name, owner))
  }

  return (name: string): unknown => valueOf(schemas[name], name)
}

/** The name of the component that a reference leads to. */
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

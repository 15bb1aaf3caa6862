/** Values that break one rule of a schema, wherever it stands in it. */
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import * as Schema from "effect/Schema"
import { samplesOf, schemaOf } from "./Schemas.ts"

/** A value of the schema with nothing in it that may be left out. */
export const leastOf = (schema: Part): unknown => samplesOf(withoutOptional(schema), { count: 1, seed: 1 })[0]

const withoutOptional = (schema: Part): Part => {
  const { anyOf, properties, required } = schema
  if (Array.isArray(anyOf)) return withoutOptional(partOf(anyOf[0]))
  if (properties === undefined) return schema
  const names: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  const kept = Object.entries(partOf(properties)).filter(([name]) => names.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries(kept.map(([name, each]) => [name, withoutOptional(partOf(each))]))
  }
}

const lengthMax = 5_000

/** Whatever may be wrong for some schema. */
const anything = ({ maxLength, maximum, minimum }: Part): ReadonlyArray<unknown> => [
  null,
  true,
  0,
  1.5,
  "",
  "~",
  [],
  {},
  ...(typeof maximum === "number" ? [maximum + 1] : []),
  ...(typeof minimum === "number" ? [minimum - 1] : []),
  ...(typeof maxLength === "number" && maxLength < lengthMax ? ["x".repeat(maxLength + 1)] : [])
]

/** Values that the schema forbids, each for one reason. */
export const breaksOf = (schema: Part): ReadonlyArray<unknown> => {
  const isAllowed = Schema.is(schemaOf(schema))
  return [...anything(schema), ...breaksWithin(schema)].filter((value) => !isAllowed(value))
}

const breaksWithin = (schema: Part): ReadonlyArray<unknown> => {
  const { additionalProperties, anyOf, items, properties, required } = schema
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => breaksOf(partOf(each)))
  if (items !== undefined) return breaksOf(partOf(items)).map((value) => [value])
  if (schema["type"] !== "object") return []
  const least = partOf(leastOf(schema))
  const names: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  return [
    ...Object.entries(partOf(properties)).flatMap(([name, each]) =>
      breaksOf(partOf(each)).map((value) => ({ ...least, [name]: value }))
    ),
    ...Object.keys(least).flatMap((name) => (names.includes(name) ? [without(least, name)] : [])),
    ...(additionalProperties === false ? [{ ...least, colour: "red" }] : []),
    ...(typeof additionalProperties === "object"
      ? breaksOf(partOf(additionalProperties)).map((value) => ({ ...least, k: value }))
      : [])
  ]
}

const without = (object: Part, name: string): Part =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name))

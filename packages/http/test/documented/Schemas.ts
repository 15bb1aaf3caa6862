/** The JSON Schemas of a document, with everything in them that they name. */
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"

/** A schema with others in the place of their names. None of the documents' names itself. */
export const resolved = (document: Part, schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => resolved(document, each))
  if (typeof schema !== "object" || schema === null) return schema
  const { $ref, ...rest } = partOf(schema)
  if (typeof $ref !== "string") {
    return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolved(document, value)]))
  }
  const names = $ref.slice("#/".length).split("/")
  return resolved(
    document,
    names.reduce((part: Part, name) => partOf(part[name]), document)
  )
}

/** What every value of a format is like; the schemas of this library do not know formats. */
const patterns: { readonly [format: string]: string } = {
  "date-time": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$"
}

/** The schema in the terms of this library. */
export const schemaOf = (schema: Part): Schema.Codec<unknown> => {
  const onEnter = (each: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
    const pattern = patterns[String(each["format"])]
    return pattern === undefined ? each : { ...each, pattern }
  }
  const document = JsonSchema.fromSchemaDraft2020_12({ ...schema })
  return Schema.make(
    SchemaRepresentation.fromJsonSchemaDocument(document, { patterns: "apply", onEnter }).ast
  )
}

/** Values that the schema allows: the same ones for the same seed. */
export const samplesOf = (
  schema: Part,
  options: { readonly count: number; readonly seed: number }
): ReadonlyArray<unknown> =>
  Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(schemaOf(schema)), { ...options, size: 6 }))

/** JSON as the service stores and shows it. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { isMisreadKey } from "./JsonKey.ts"

export type Json = Schema.Json
export type JsonObject = Schema.JsonObject

/** An object of JSON values: the form of params, metadata, results and schemas. */
export const JsonObject = Schema.JsonObject

const ReadableKey = Schema.String.check(Schema.makeFilter((key) => !isMisreadKey(key)))

/** JSON without keys that Node may misread, for tests that generate it. */
export const ReadableJson: Schema.Codec<Json> = Schema.Union([
  Schema.Null,
  Schema.Boolean,
  Schema.Finite,
  Schema.String,
  Schema.Array(Schema.suspend(() => ReadableJson)),
  Schema.suspend(() => ReadableObject)
])

/** An object of such JSON. */
export const ReadableObject = Schema.Record(ReadableKey, ReadableJson)

/** Whether a value that was read from JSON is an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The same for what was just read from JSON, such as a body or a column. Its
 * members are JSON then, and are not checked again: for a value of a megabyte that
 * takes longer than reading it.
 */
export const KnownJsonObject = Schema.declare(isJsonObject, {
  expected: "object",
  toCodecJson: () => undefined,
  toCodecArbitrary: () => Schema.link<JsonObject>()(ReadableObject, SchemaTransformation.passthrough())
}).check(
  Schema.makeFilter(() => undefined, { toJsonSchema: () => ({ type: "object", additionalProperties: true }) })
)

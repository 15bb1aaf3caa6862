/** Reads the fields of a row: plain values as they are, others by their schema. */
import { StoredJson, StoredObjectFromText } from "@runhook/core/shared/json/StoredJson"
import * as Context from "effect/Context"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { type IsPlain, plainOf } from "./Plain.ts"

/** Fields by name. None needs a service to be decoded. */
export type Fields = { readonly [name: string]: Schema.Codec<unknown, unknown> }

/** The values of a row in the order in which a statement lists them. */
export type Values = ReadonlyArray<unknown>

/**
 * Compares a row as it was read with what the schema makes of its values, and throws when they differ. Only tests
 * provide one: they decode what production trusts.
 */
export type RowCheck = (
  schema: Schema.ConstraintDecoder<unknown>,
  values: Readonly<Record<string, unknown>>,
  row: unknown
) => void

export const CurrentRowCheck = Context.Reference<RowCheck | undefined>(
  "@runhook/store-pg/rows/CurrentRowCheck",
  {
    defaultValue: () => undefined
  }
)

/** Throws a `SchemaError` that names the field when a row cannot be read. */
export type Read<out Row> = (values: Values, check?: RowCheck) => Row

/**
 * Reads fields from values in the order of the given names. A missing value is `undefined`, which no field accepts.
 */
export const rowReader = <Of extends Fields>(
  schema: Schema.Struct<Of>,
  names: ReadonlyArray<string>
): Read<Schema.Struct<Of>["Type"]> => {
  const fields = fieldsOf(schema).map((field) => ({ ...field, place: names.indexOf(field.name) }))
  // An object created with all of its fields takes a third of the time of one that grows field by field.
  const empty = JSON.parse(JSON.stringify(Object.fromEntries(fields.map(({ name }) => [name, null]))))

  return (values, check) => {
    const row = { ...empty }
    for (const { decode, isPlain, name, place } of fields) {
      const value = values[place]
      row[name] = isPlain(value) ? value : gotten(name, decode(value))
    }
    check?.(schema, Object.fromEntries(fields.map(({ name, place }) => [name, values[place]])), row)
    return row
  }
}

interface Field {
  readonly name: string
  readonly isPlain: IsPlain
  readonly decode: (value: unknown) => Result.Result<unknown, Schema.SchemaError>
}

/** Once per schema: many calls ask for the same. */
const known = new WeakMap<object, ReadonlyArray<Field>>()

const fieldsOf = (schema: Schema.Struct<Fields>): ReadonlyArray<Field> => {
  const before = known.get(schema)
  if (before !== undefined) return before
  const fields = Record.toEntries(schema.fields).map(([name, field]) => ({
    name,
    isPlain: plainOf(field),
    decode: decoderOf(field)
  }))
  known.set(schema, fields)
  return fields
}

type Decode = Field["decode"]

const decoderOf = (field: Fields[string]): Decode => {
  const decode = Schema.decodeUnknownResult(field)
  return holdsJsonText(field.ast) ? orJsonText(decode) : decode
}

const holdsJsonText = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) ? ast.types.some(holdsJsonText) : ast === StoredObjectFromText.ast

/** An object of JSON stays the text of its column; the schema refuses any other value. */
const orJsonText =
  (decode: Decode): Decode =>
  (value) =>
    typeof value === "string" && value.startsWith("{")
      ? Result.succeed(StoredJson.fromText(value))
      : decode(value)

const gotten = (name: string, value: Result.Result<unknown, Schema.SchemaError>): unknown => {
  if (Result.isSuccess(value)) return value.success
  throw new Schema.SchemaError(new SchemaIssue.Pointer([name], value.failure.issue))
}

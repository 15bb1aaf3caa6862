/**
 * Trusts a column's value that is plainly what its schema would make of it: of the right kind, and one of the
 * literals where the schema has them. Only other values are decoded. Rows were checked before they were stored, so
 * lengths, ranges and formats are not checked again (`docs/adr/0047-production-trusts-rows-tests-decode-them.md`).
 */
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/** Whether a value needs no decoding. */
export type IsPlain = (value: unknown) => boolean

/** Recognizes plain values of a schema. An unknown schema has none, so all of its values are decoded. */
export const plainOf = (schema: Schema.Top): IsPlain => ofAst(schema.ast)

const none: IsPlain = () => false
const isText: IsPlain = (value) => typeof value === "string"
const isNumber: IsPlain = (value) => typeof value === "number"
const isFlag: IsPlain = (value) => typeof value === "boolean"

/** Declarations whose values need no decoding: the driver makes them. */
const declared = new Map<SchemaAST.AST, IsPlain>([
  [Schema.DateTimeUtc.ast, (value) => DateTime.isDateTime(value) && DateTime.isUtc(value)],
  [KnownJsonObject.ast, (value) => isObject(value)],
  [Schema.JsonObject.ast, (value) => isObject(value)],
  // A column of JSON, whose NULL is one of its values.
  [Schema.Json.ast, (value) => value !== undefined]
])

const ofAst = (ast: SchemaAST.AST): IsPlain => {
  if (ast.encoding !== undefined) return isTextBoth(ast) ? isText : none
  switch (ast._tag) {
    case "String":
      return isText
    case "Number":
      return isNumber
    case "Boolean":
      return isFlag
    case "Null":
      return (value) => value === null
    case "Literal":
      return (value) => value === ast.literal
    case "Declaration":
      return declared.get(ast) ?? none
    case "Union":
      return ofUnion(ast)
    case "Arrays":
      return ofArrays(ast)
    case "Objects":
      return ofObjects(ast)
    default:
      return none
  }
}

/** Text that is normalized on entry, as ids are, was normalized before it was stored. */
const isTextBoth = ({ _tag, encoding }: SchemaAST.AST): boolean =>
  _tag === "String" && encoding?.length === 1 && encoding[0].to._tag === "String" && !encoding[0].to.encoding

const ofUnion = ({ types }: SchemaAST.Union): IsPlain => {
  if (types.every((type) => type._tag === "Literal")) {
    const literals = new Set<unknown>(types.map(({ literal }) => literal))
    return (value) => literals.has(value)
  }
  const members = types.map(ofAst)
  const [first = none, second = none] = members
  return members.length === 2
    ? (value) => first(value) || second(value)
    : (value) => members.some((isPlain) => isPlain(value))
}

const ofArrays = ({ elements, rest }: SchemaAST.Arrays): IsPlain => {
  const [element] = rest
  if (element === undefined || elements.length > 0 || rest.length > 1) return none
  const isPlain = ofAst(element)
  return (value) => Array.isArray(value) && value.every(isPlain)
}

/** An object of JSON with only its declared fields: decoding would drop others. */
const ofObjects = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): IsPlain => {
  if (indexSignatures.length > 0) return none
  const fields = propertySignatures.map(({ name, type }) => ({
    name: String(name),
    isOptional: type.context?.isOptional === true,
    isPlain: ofAst(type)
  }))
  return (value) => {
    if (!isObject(value)) return false
    let found = 0
    for (const { isOptional, isPlain, name } of fields) {
      if (!Object.hasOwn(value, name)) {
        if (!isOptional) return false
      } else if (isPlain(value[name])) found++
      else return false
    }
    return Object.keys(value).length === found
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

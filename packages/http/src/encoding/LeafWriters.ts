/**
 * The parts of an answer that have no parts of their own. Each is written from its
 * *Type*, by the contract's transformation or declaration. A value of another type
 * is a defect: nothing wrong is written.
 */
import { AnyId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { StoredJson, StoredObjectFromValue } from "@runhook/core/shared/json/StoredJson"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** Writes the JSON of a value. */
export type Write = (value: unknown) => string

/** A writer of the values that pass; any other is reported with its place in the answer. */
const leaf =
  <A>(expected: string, isOf: (value: unknown) => value is A, write: (value: A) => string) =>
  (path: string): Write =>
  (value) => {
    if (isOf(value)) return write(value)
    throw new TypeError(`${path} must be ${expected}`)
  }

const isString = (value: unknown) => typeof value === "string"

const string = leaf("a string", isString, (value) => JSON.stringify(value))

/** Ids are checked when they enter, so nothing in them needs escaping. */
const id = leaf("an id", isString, (value) => `"${value}"`)

const isFinite = (value: unknown): value is number => Number.isFinite(value)

const number = leaf("a finite number", isFinite, String)

const boolean = leaf("a boolean", (value) => typeof value === "boolean", String)

const isInstant = (value: unknown) => DateTime.isDateTime(value) && DateTime.isUtc(value)

const instant = leaf("an instant", isInstant, (value) => `"${DateTime.formatIso(value)}"`)

const stored = leaf(
  "stored JSON",
  (value) => value instanceof StoredJson,
  ({ text }) => text
)

const json = leaf(
  "JSON",
  (value) => value !== undefined,
  (value) => JSON.stringify(value)
)

const readingOf = ({ ast }: Schema.Top) => ast.encoding?.[0].transformation.decode

/** An encoding is recognized by its decoder, which is the same object however it is annotated. */
const encoded = new Map([
  [readingOf(AnyId), id],
  [readingOf(Timestamp), instant],
  [readingOf(StoredObjectFromValue), stored]
])

const runOf = ({ ast }: Schema.Top) => (SchemaAST.isDeclaration(ast) ? ast.run : undefined)

/** What a declaration writes as JSON already. */
const declared = new Map([
  [runOf(Schema.Json), json],
  [runOf(KnownJsonObject), json]
])

/** Writes one of a few literals that are known in advance. */
export const literalsWriter = (
  literals: ReadonlyArray<SchemaAST.LiteralValue | null>,
  path: string
): Write => {
  const texts = new Map<unknown, string>(literals.map((literal) => [literal, JSON.stringify(literal)]))
  return (value) => {
    const found = texts.get(value)
    if (found === undefined) throw new TypeError(`${path} must be one of ${[...texts.values()].join(", ")}`)
    return found
  }
}

/** How a part without parts of its own is written; undefined if it has parts, or is unknown. */
export const leafOf = (ast: SchemaAST.AST, path: string): Write | undefined => {
  if (ast.encoding !== undefined) {
    const [{ transformation }, ...further] = ast.encoding
    return further.length === 0 ? encoded.get(transformation.decode)?.(path) : undefined
  }
  switch (ast._tag) {
    case "Null":
      return literalsWriter([null], path)
    case "String":
      return string(path)
    case "Number":
      return number(path)
    case "Boolean":
      return boolean(path)
    case "Literal":
      return literalsWriter([ast.literal], path)
    case "Declaration":
      return declared.get(ast.run)?.(path)
    default:
      return undefined
  }
}

/** Whether it may be any JSON, so that nothing distinguishes it from something else. */
export const isAnyJson = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isDeclaration(ast) && ast.run === runOf(Schema.Json)

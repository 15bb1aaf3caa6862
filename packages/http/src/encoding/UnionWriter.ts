/**
 * Finds the member of a union that a value belongs to, by the least that is
 * certain: its kind of JSON, a field in which each member has its own literals, or
 * a field that no other member has.
 */
import * as Array from "effect/Array"
import * as SchemaAST from "effect/SchemaAST"
import { isAnyJson } from "./LeafWriters.ts"

type Kind = "array" | "boolean" | "null" | "number" | "object" | "other" | "string"

/** The index of the member that a value belongs to; -1 if none. */
export type Choice = (value: unknown) => number

/** Throws for members that cannot be told apart, with the path of the union in its schema. */
export const choiceOf = (members: ReadonlyArray<SchemaAST.AST>, path: string): Choice => {
  // Not `Map.groupBy`: the service in memory also runs on Node 20.
  const kinds = Array.groupBy(
    members.flatMap((member, place) =>
      alternativesOf(member).map((ast): Alternative => ({
        place,
        kind: kindOf(ast, path),
        fields: fieldsOf(ast)
      }))
    ),
    ({ kind }) => kind
  )
  const choices = new Map(Object.entries(kinds).map(([kind, ofKind]) => [kind, choiceAmong(ofKind, path)]))
  return (value) => choices.get(kindOfValue(value))?.(value) ?? -1
}

/** A form of a member's values, and the fields that identify it. A member that is a union has several. */
interface Alternative {
  readonly place: number
  readonly kind: Kind
  readonly fields: ReadonlyArray<SchemaAST.PropertySignature>
}

const choiceAmong = (alternatives: ReadonlyArray<Alternative>, path: string): Choice => {
  const [place, ...others] = new Set(alternatives.map((alternative) => alternative.place))
  if (place !== undefined && others.length === 0) return () => place
  return choiceByLiteral(alternatives) ?? choiceByPresence(alternatives, path)
}

const choiceByLiteral = (alternatives: ReadonlyArray<Alternative>): Choice | undefined => {
  for (const { name } of alternatives[0]?.fields ?? []) {
    const literals = alternatives.map(({ fields }) => literalsIn(fields, name))
    const places = new Map<unknown, number>(
      alternatives.flatMap(({ place }, index) => (literals[index] ?? []).map((literal) => [literal, place]))
    )
    const isTelling = literals.every(({ length }) => length > 0) && literals.flat().length === places.size
    if (isTelling) return (value) => places.get(fieldOf(value, name)) ?? -1
  }
  return undefined
}

const literalsIn = (fields: Alternative["fields"], name: PropertyKey) => {
  const type = fields.find((field) => field.name === name)?.type
  return type === undefined || SchemaAST.isOptional(type) ? [] : literalsOf(type)
}

/** One member may be the one that has none of the identifying fields. */
const choiceByPresence = (alternatives: ReadonlyArray<Alternative>, path: string): Choice => {
  const told = alternatives.map((alternative) => ({
    place: alternative.place,
    name: alternative.fields.find(
      ({ name, type }) => !SchemaAST.isOptional(type) && alternatives.every(isWithout(name, alternative))
    )?.name
  }))
  const [otherwise, ...others] = told.filter(({ name }) => name === undefined)
  if (others.length > 0) throw new Error(`${path}: nothing tells its members apart`)
  return (value) =>
    (told.find(({ name }) => name !== undefined && fieldOf(value, name) !== undefined) ?? otherwise)?.place ??
    -1
}

const isWithout =
  (name: PropertyKey, except: Alternative) =>
  (alternative: Alternative): boolean =>
    alternative === except || alternative.fields.every((field) => field.name !== name)

const alternativesOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) && literalsOf(ast).length === 0 ? ast.types.flatMap(alternativesOf) : [ast]

/** The literals that a schema consists of; none if it is anything else. */
export const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.LiteralValue> => {
  if (ast.encoding !== undefined) return []
  if (SchemaAST.isLiteral(ast)) return [ast.literal]
  if (!SchemaAST.isUnion(ast)) return []
  const literals = ast.types.map(literalsOf)
  return literals.every(({ length }) => length > 0) ? literals.flat() : []
}

const fieldsOf = (ast: SchemaAST.AST): Alternative["fields"] =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures : []

const kindOf = (ast: SchemaAST.AST, path: string): Kind => {
  const [kind, ...others] = new Set(literalsOf(ast).map(kindOfValue))
  if (kind !== undefined && others.length === 0) return kind
  switch (ast._tag) {
    case "Null":
      return "null"
    case "String":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Arrays":
      return "array"
    case "Objects":
      return "object"
    case "Declaration":
      // Instants and stored JSON are objects here, whatever they are on the wire.
      if (!isAnyJson(ast)) return "object"
  }
  throw new Error(`${path}: nothing tells its ${ast._tag} from the other members`)
}

const kindOfValue = (value: unknown): Kind => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  const kind = typeof value
  return kind === "boolean" || kind === "number" || kind === "object" || kind === "string" ? kind : "other"
}

const fieldOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

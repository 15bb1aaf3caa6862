/** Prints a definition as a type of Go: objects as structs, words as constants of a type of their own. */
import type * as SchemaRepresentation from "effect/SchemaRepresentation"
import { type Definition, keyOf, nameOf, namesWithin } from "../Definitions.ts"
import { operations } from "../Operations.ts"
import { declared, descriptionOf, literalsOf } from "../Printer.ts"
import type { Side } from "../Spoken.ts"
import { standIn } from "./Alternatives.ts"
import { type Field, linesOf } from "./Fields.ts"
import { commentOf, exported, nameInText, typeName } from "./Names.ts"

type Representation = SchemaRepresentation.Representation

/** What a struct is for. A change tells what is null from what is left out. */
export type Use = Side | "change"

interface Place {
  readonly use: Use
  /** The name of the struct that is being printed, after which those within it are named. */
  readonly self: string
  /** Takes the structs within it, since those have names in Go. */
  readonly behind: Array<string>
}

/** The whole declaration, before those of the objects within it. */
export const declarations = ({ description, name, representation }: Definition, use: Use): string => {
  const place: Place = { use, self: typeName(name), behind: [] }
  const text = description ?? descriptionOf(representation)
  const words = literalsOf(representation)
  const own =
    words === undefined ? structOf(representation, place, text) : constantsOf(place.self, words, text)
  return [own, ...place.behind].join("\n")
}

const headOf = (name: string, description: unknown, otherwise: string): string =>
  commentOf(typeof description === "string" ? `${name}: ${nameInText(description)}` : `${name} ${otherwise}`)

const constantsOf = (name: string, words: ReadonlyArray<string>, description: unknown): string => {
  const names = words.map((word) => name + exported(JSON.parse(word)))
  const width = Math.max(...names.map((each) => each.length))
  const lines = words.map((word, at) => `\t${names[at]?.padEnd(width)} ${name} = ${word}\n`)
  const head = headOf(name, description, "is one of the words below, or one of a later version.")
  return `${head}type ${name} string\n\n// Values of ${name}.\nconst (\n${lines.join("")})\n`
}

const structOf = (type: Representation, place: Place, description: unknown): string => {
  if (type._tag !== "Objects") throw new Error(`${place.self} is ${type._tag}, which has no struct`)
  const head = headOf(
    place.self,
    description,
    place.use === "answer" ? "is an answer." : "is what a request says."
  )
  const fields = type.propertySignatures.flatMap((signature) => fieldOf(signature, place) ?? [])
  return `${head}type ${place.self} struct {\n${linesOf(fields)}}\n`
}

/** What a call sets by itself is no field of its body. */
const fixedFields = new Set(
  operations.flatMap(({ body, fixedBody }) => Object.keys(fixedBody).map((name) => `${body?.type}.${name}`))
)

/** Undefined for what is always null, which says nothing. */
const fieldOf = (
  { annotations, isOptional, name, type }: SchemaRepresentation.PropertySignature,
  place: Place
): Field | undefined => {
  const wire = String(name)
  if (fixedFields.has(`${place.self}.${wire}`)) return undefined
  const [held, isNullable] = withoutNull(type)
  if (held === undefined) return undefined
  const bare = typeOf(held, { ...place, self: place.self + exported(wire) })
  const description = annotations?.["description"] ?? descriptionOf(type)
  return {
    name: exported(wire),
    type:
      held._tag === "Literal" && held.literal === true
        ? bare
        : wrapped(bare, { isNullable, isOptional, use: place.use }),
    tag: isOptional ? `${wire},omitzero` : wire,
    description: typeof description === "string" ? nameInText(description) : undefined
  }
}

const withoutNull = (
  type: Representation
): readonly [held: Representation | undefined, isNullable: boolean] => {
  if (type._tag === "Null") return [undefined, true]
  if (type._tag !== "Union" || literalsOf(type) !== undefined) return [type, false]
  const types = type.types.filter(({ _tag }) => _tag !== "Null")
  const [only] = types
  return [types.length === 1 ? only : { ...type, types }, types.length < type.types.length]
}

interface Absence {
  readonly use: Use
  readonly isNullable: boolean
  readonly isOptional: boolean
}

/** A type with a place for what is not there. Zero is that, but where zero would mean something. */
const wrapped = (bare: string, { isNullable, isOptional, use }: Absence): string => {
  if (use === "query" || (!isNullable && !isOptional)) return bare
  if (use === "change" && isNullable) return `Nullable[${bare}]`
  if (/^(?:\[\]|map\[|any$|JSON$)/.test(bare)) return bare
  const isZeroSaid = use === "change" || use === "answer" || /^(?:int|float64|bool)$/.test(bare)
  return isZeroSaid ? `*${bare}` : bare
}

const typeOf = (type: Representation, place: Place): string => {
  const name = namesWithin.get(keyOf(type))
  const words = literalsOf(type)
  if (words !== undefined && words.length > 1) return name === undefined ? "string" : typeName(name)
  if (name !== undefined && typeName(name) !== place.self) return typeName(name)
  switch (type._tag) {
    case "Reference":
      return standIn(typeName(nameOf(type.$ref)))
    case "String":
      return isInstant(type) ? "time.Time" : "string"
    case "Number":
      return numberOf(type, place)
    case "Boolean":
      return "bool"
    case "Literal":
      return typeof type.literal === "number"
        ? "int64"
        : typeof type.literal === "boolean"
          ? "bool"
          : "string"
    case "Declaration":
      return declaredOf(type, place)
    case "Arrays":
      return listOf(type, place)
    case "Union":
      return unionOf(type, place)
    case "Objects":
      return objectOf(type, place)
    default:
      throw new Error(`${place.self} holds ${type._tag}, which has no form in JSON`)
  }
}

/** Moments are told from other texts by the rule of their form. */
const isInstant = ({ checks }: SchemaRepresentation.String): boolean =>
  checks.some(({ annotations }) => String(annotations?.["expected"]).startsWith("an ISO 8601 timestamp"))

const numberOf = ({ checks }: SchemaRepresentation.Number, { use }: Place): string => {
  const isInteger = checks.some((check) => check.representation?.id === "effect/schema/isInt")
  if (!isInteger) return "float64"
  return use === "answer" ? "int64" : "int"
}

/** What is sent may be any value that has JSON; what is read stays JSON. */
const declaredOf = (type: SchemaRepresentation.Declaration, place: Place): string => {
  const name = declared(type)
  if (name !== "Json" && name !== "JsonObject") return standIn(name)
  return place.use === "answer" ? "JSON" : "any"
}

const listOf = ({ rest: [item] }: SchemaRepresentation.Arrays, place: Place): string => {
  if (item === undefined) throw new Error(`${place.self} holds a tuple, which has no type here`)
  return `[]${typeOf(item, { ...place, self: place.self.replace(/s$/, "") })}`
}

/** One of several objects is the struct that stands for them all; one or a list of it, in a query, the list. */
const unionOf = ({ types }: SchemaRepresentation.Union, place: Place): string => {
  const names = new Set(types.map((each) => typeOf(each, place)))
  const list = [...names].find((name) => name.startsWith("[]"))
  const [only] = names
  if (list !== undefined && [...names].every((name) => list.endsWith(name))) return list
  if (only === undefined || names.size > 1)
    throw new Error(`${place.self} is one of ${[...names].join(", ")}`)
  return only
}

const objectOf = (type: SchemaRepresentation.Objects, place: Place): string => {
  const [index] = type.indexSignatures
  if (index !== undefined) return `map[string]${typeOf(index.type, place)}`
  place.behind.push(structOf(type, place, descriptionOf(type)))
  return place.self
}

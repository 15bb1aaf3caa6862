/**
 * Prints a definition for Python: what callers write as a `TypedDict`, what they read as a frozen dataclass, words
 * as a `Literal`.
 */
import type * as SchemaRepresentation from "effect/SchemaRepresentation"
import { type Definition, keyOf, nameOf, namesWithin } from "../Definitions.ts"
import { declared, descriptionOf, literalsOf } from "../Printer.ts"
import type { Side } from "../Spoken.ts"

type Representation = SchemaRepresentation.Representation

const widthMax = 100

/** How the objects of a file are read: as objects with attributes, or as the dictionaries that JSON has. */
export type Reading = "attributes" | "dictionaries"

interface Place {
  readonly side: Side
  readonly reading: Reading
  /** The name of the object that is being printed, after which those within it are named. */
  readonly self: string
  /** Takes declarations that must stand before this one, since Python has no type for an object in place. */
  readonly before: Array<string>
}

/** The whole declaration, behind those of the objects within it. */
export const declarations = (
  { description, name, representation, side }: Definition,
  reading: Reading
): string => {
  const place = { side, reading, self: name, before: [] }
  const text = description ?? descriptionOf(representation)
  const own =
    representation._tag === "Objects" && representation.indexSignatures.length === 0
      ? classOf(representation, place, text)
      : alias(name, closedWordsOf(representation) ?? typeOf(representation, place), text)
  return [...place.before, own].join("\n\n")
}

/** Words are closed where callers write them, and opened where they read them: where the name of the words is used. */
const closedWordsOf = (type: Representation): string | undefined => {
  const words = literalsOf(type)
  return words === undefined ? undefined : `Literal[${words.join(", ")}]`
}

/** Parts too long for one line stand below each other. */
const alias = (name: string, type: string, description: unknown): string => {
  const line = `${name}: TypeAlias = ${type}\n`
  const text = line.length <= widthMax ? line : `${name}: TypeAlias = ${inLines(type)}\n`
  return typeof description === "string" ? `${text}${docOf(description, "")}` : text
}

const inLines = (type: string): string => {
  const words = /^Literal\[(.*)\]$/.exec(type)?.[1]
  return words === undefined
    ? `Union[\n    ${type.split(" | ").join(",\n    ")},\n]`
    : `Literal[\n    ${words.split(", ").join(",\n    ")},\n]`
}

const classOf = (type: SchemaRepresentation.Objects, place: Place, description: unknown): string => {
  const isRead = place.side === "answer" && place.reading === "attributes"
  const head = isRead
    ? `@dataclass(frozen=True, slots=True, kw_only=True)\nclass ${place.self}:\n`
    : `class ${place.self}(TypedDict):\n`
  const fields = type.propertySignatures.map(({ annotations, isOptional, name, type: held }) => {
    const inner = { ...place, self: place.self + pascalCase(String(name)) }
    const one = typeOf(held, inner)
    const field = isOptional ? (isRead ? `${one} | None = None` : `NotRequired[${one}]`) : one
    const doc = annotations?.["description"] ?? descriptionOf(held)
    return `    ${nameIn(String(name))}: ${field}\n${typeof doc === "string" ? docOf(doc, "    ") : ""}`
  })
  const doc = typeof description === "string" ? `${docOf(description, "    ")}\n` : ""
  return `${head}${doc}${fields.join("") || "    pass\n"}`
}

const typeOf = (type: Representation, place: Place): string => {
  const name = namesWithin.get(keyOf(type))
  const words = literalsOf(type)
  if (words !== undefined && words.length > 1) {
    const closed = name ?? closedWordsOf(type) ?? ""
    return place.side === "answer" ? `${closed} | str` : closed
  }
  if (name !== undefined && name !== place.self) return name
  switch (type._tag) {
    case "Reference":
      return nameOf(type.$ref)
    case "String":
      return "str"
    case "Number":
      return type.checks.some((check) => check.representation?.id === "effect/schema/isInt") ? "int" : "float"
    case "Boolean":
      return "bool"
    case "Null":
      return "None"
    case "Literal":
      return literal(type.literal, place.side)
    case "Declaration":
      return named(declared(type), place.side)
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

/** A number of today may be another one tomorrow. */
const literal = (value: unknown, side: Side): string =>
  typeof value === "number" && side === "answer"
    ? "int"
    : `Literal[${typeof value === "boolean" ? pascalCase(String(value)) : JSON.stringify(value)}]`

const named = (name: string, side: Side): string =>
  name === "Json" ? "Any" : name === "JsonObject" ? mapping("Any", side) : name

const mapping = (value: string, side: Side): string =>
  side === "answer" ? `dict[str, ${value}]` : `Mapping[str, ${value}]`

const listOf = ({ rest: [item] }: SchemaRepresentation.Arrays, place: Place): string => {
  if (item === undefined) throw new Error(`${place.self} holds a tuple, which has no type here`)
  const one = typeOf(item, { ...place, self: place.self.replace(/s$/, "") })
  if (place.side === "answer") return `list[${one}]`
  // In a query a list of one is as good as its item.
  return place.side === "query" ? `${one} | Sequence[${one}]` : `Sequence[${one}]`
}

const unionOf = (type: SchemaRepresentation.Union, place: Place): string =>
  type.types.map((each) => typeOf(each, { ...place, self: place.self + distinction(each) })).join(" | ")

/** What an object is told apart by: the word or the truth of its first field that has only one. */
const distinction = (type: Representation): string => {
  if (type._tag !== "Objects") return ""
  for (const { name, type: held } of type.propertySignatures) {
    if (held._tag !== "Literal") continue
    if (typeof held.literal === "string") return pascalCase(held.literal)
    return `${held.literal === false ? "Not" : ""}${pascalCase(String(name))}`
  }
  return ""
}

const objectOf = (type: SchemaRepresentation.Objects, place: Place): string => {
  const [index] = type.indexSignatures
  if (index !== undefined) return mapping(typeOf(index.type, place), place.side)
  place.before.push(classOf(type, place, descriptionOf(type)))
  return place.self
}

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

/** Words of Python among the names get an underscore, which is none of the wire's. */
export const nameIn = (name: string): string => (name === "from" ? "from_" : name)

const docOf = (description: string, indent: string): string => {
  const text = description.replaceAll("\\", "\\\\")
  const line = `${indent}"""${text}"""\n`
  if (line.length <= widthMax) return line
  const lines: Array<string> = []
  let current = ""
  for (const word of text.split(" ")) {
    if (current !== "" && `${indent}"""${current} ${word}`.length > widthMax) {
      lines.push(current)
      current = word
    } else current = current === "" ? word : `${current} ${word}`
  }
  return `${indent}"""${[...lines, current].join(`\n${indent}`)}\n${indent}"""\n`
}

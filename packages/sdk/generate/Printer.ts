/** Prints a definition as a type of TypeScript, with the contract's descriptions as its comments. */
import type * as SchemaRepresentation from "effect/SchemaRepresentation"
import { type Definition, keyOf, nameOf, namesWithin } from "./Definitions.ts"
import type { Side } from "./Spoken.ts"

type Representation = SchemaRepresentation.Representation

const widthMax = 110

/** The whole declaration. */
export const declaration = ({ description, name, representation, side }: Definition): string => {
  const comment = commentOf(description ?? descriptionOf(representation), "")
  // Words are closed where callers write them, and opened where they read them.
  const wordsOf = literalsOf(representation)
  if (wordsOf !== undefined)
    return `${comment}export type ${name} =${alternatives(wordsOf, `export type ${name} =`)}\n`
  const place = { side, indent: "", self: name }
  if (representation._tag !== "Objects" || representation.propertySignatures.length === 0) {
    return `${comment}export type ${name} = ${typeOf(representation, place)}\n`
  }
  const [base, own] = withoutAnswer(representation, side)
  return `${comment}export interface ${name}${base} ${typeOf(own, place)}\n`
}

/** What all answers share is said once. */
const withoutAnswer = (
  type: SchemaRepresentation.Objects,
  side: Side
): readonly [base: string, own: SchemaRepresentation.Objects] => {
  const propertySignatures = type.propertySignatures.filter(({ name }) => name !== "request_id")
  return side === "answer" && propertySignatures.length < type.propertySignatures.length
    ? [" extends Answer", { ...type, propertySignatures }]
    : ["", type]
}

interface Place {
  readonly side: Side
  readonly indent: string
  /** The definition that is being printed, which is not named within itself. */
  readonly self: string
}

const typeOf = (type: Representation, place: Place): string => {
  const name = namesWithin.get(keyOf(type))
  const words = literalsOf(type)
  if (words !== undefined && words.length > 1) {
    const closed = name ?? words.join(" | ")
    return place.side === "answer" ? `Open<${closed}>` : closed
  }
  if (name !== undefined && name !== place.self) return name
  switch (type._tag) {
    case "Reference":
      return nameOf(type.$ref)
    case "String":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Null":
      return "null"
    case "Literal":
      // A number of today may be another one tomorrow.
      return typeof type.literal === "number" && place.side === "answer"
        ? "number"
        : JSON.stringify(type.literal)
    case "Declaration":
      return declared(type)
    case "Arrays":
      return listOf(type, place)
    case "Union":
      return type.types.map((each) => typeOf(each, place)).join(" | ")
    case "Objects":
      return objectOf(type, place)
    default:
      throw new Error(`${place.self} holds ${type._tag}, which has no form in JSON`)
  }
}

/** What the contract checks by itself: any JSON, an object, or an object that is read later as another schema. */
export const declared = ({ checks, representation }: SchemaRepresentation.Declaration): string => {
  if (representation?.id === "effect/schema/Json") return "Json"
  const read = checks.flatMap((check) => check.representation?.schemas ?? [])[0]
  return read?._tag === "Reference" ? nameOf(read.$ref) : "JsonObject"
}

const listOf = ({ rest: [item] }: SchemaRepresentation.Arrays, place: Place): string => {
  if (item === undefined) throw new Error(`${place.self} holds a tuple, which has no type here`)
  const one = typeOf(item, place)
  const list = `ReadonlyArray<${one}>`
  // In a query a list of one is as good as its item.
  return place.side === "query" ? `${one} | ${list}` : list
}

const objectOf = (type: SchemaRepresentation.Objects, place: Place): string => {
  const [index] = type.indexSignatures
  if (index !== undefined) {
    const value = typeOf(index.type, place)
    return value === "Json" ? "JsonObject" : `{ readonly [name: string]: ${value} }`
  }
  const indent = `${place.indent}  `
  const fields = type.propertySignatures.map(({ annotations, isOptional, name, type: held }) => {
    const description = annotations?.["description"] ?? descriptionOf(held)
    const head = `${indent}readonly ${String(name)}${isOptional ? "?" : ""}: `
    // What is undefined is left out of JSON, so callers need not leave it out themselves.
    const tail = isOptional && place.side !== "answer" ? " | undefined" : ""
    return `${commentOf(description, indent)}${head}${typeOf(held, { ...place, indent })}${tail}\n`
  })
  return `{\n${fields.join("")}${place.indent}}`
}

/** The texts of a union of nothing else. */
export const literalsOf = (type: Representation): ReadonlyArray<string> | undefined => {
  if (type._tag !== "Union") return undefined
  const texts = type.types.flatMap((each) =>
    each._tag === "Literal" && typeof each.literal === "string" ? [JSON.stringify(each.literal)] : []
  )
  return texts.length === type.types.length ? texts : undefined
}

const alternatives = (texts: ReadonlyArray<string>, before: string): string => {
  const line = ` ${texts.join(" | ")}`
  return before.length + line.length <= widthMax ? line : texts.map((text) => `\n  | ${text}`).join("")
}

/** Checks carry what is said of a type once it has any. The last word is that of the field. */
export const descriptionOf = (type: Representation): unknown => {
  const said =
    "checks" in type ? [type.annotations, ...type.checks.map(({ annotations }) => annotations)] : []
  return said.map((annotations) => annotations?.["description"]).findLast((each) => each !== undefined)
}

const commentOf = (description: unknown, indent: string): string => {
  if (typeof description !== "string") return ""
  const line = `${indent}/** ${description} */\n`
  if (line.length <= widthMax) return line
  const lines: Array<string> = []
  let current = ""
  for (const word of description.split(" ")) {
    if (current !== "" && `${indent} * ${current} ${word}`.length > widthMax) {
      lines.push(current)
      current = word
    } else current = current === "" ? word : `${current} ${word}`
  }
  return [`${indent}/**`, ...[...lines, current].map((each) => `${indent} * ${each}`), `${indent} */\n`].join(
    "\n"
  )
}

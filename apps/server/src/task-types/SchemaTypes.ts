/**
 * Prints a JSON Schema as types of TypeScript. They take every value that the
 * schema takes, with one exception: a name that an object does not list is taken
 * only where `additionalProperties` says so, which is how a misspelt one is found.
 */
import { entriesIn, listIn, type Schema, type SchemaObject, schemaOf, targetsOf } from "./SchemaTargets.ts"
import {
  behind,
  commentOf,
  fieldOf,
  intersectionOf,
  listOf,
  literalOf,
  nameOf,
  objectOf,
  part,
  unionOf
} from "./TypeText.ts"

/** Declares the type of a schema, and those it refers to, under names that none has yet. */
export const declarationsOf = (
  schema: SchemaObject,
  name: string,
  taken: Set<string>
): ReadonlyArray<string> => {
  const targetOf = targetsOf(schema)
  const names = new Map([[schema, name]])
  const referred = (each: SchemaObject): string => {
    const target = targetOf(each)
    if (target === undefined) return "unknown"
    const known = names.get(target.schema)
    if (known !== undefined) return known
    const itsName = nameOf(target.name, taken)
    taken.add(itsName)
    names.set(target.schema, itsName)
    return itsName
  }
  const declarations: Array<string> = []
  // Printing one may name others, which then come after it.
  for (const [each, itsName] of names)
    declarations.push(said(each) + behind(`export type ${itsName} =`, typeOf(each, referred)))
  return declarations
}

/** Names the type of what a schema refers to. */
type Referred = (schema: SchemaObject) => string

/** What all keywords together take. */
const typeOf = (schema: Schema, referred: Referred): string => {
  if (typeof schema === "boolean") return schema ? "unknown" : "never"
  const all = (keyword: string) => listIn(schema, keyword).map((each) => typeOf(each, referred))
  const either = ["anyOf", "oneOf"].filter((keyword) => keyword in schema)
  return intersectionOf([
    referred(schema),
    ownType(schema, referred),
    ...all("allOf"),
    ...either.map((keyword) => unionOf(all(keyword)))
  ])
}

const ownType = (schema: SchemaObject, referred: Referred): string => {
  if ("const" in schema) return literalOf(schema["const"])
  if (Array.isArray(schema["enum"])) return unionOf(schema["enum"].map(literalOf))
  const types = [schema["type"] ?? impliedTypes(schema)].flat()
  const nullable = types.length > 0 && schema["nullable"] === true ? ["null"] : []
  return types.length === 0
    ? "unknown"
    : unionOf([...types, ...nullable].map((type) => typed(type, schema, referred)))
}

/** What its keywords speak of, if it does not say. */
const impliedTypes = (schema: SchemaObject): ReadonlyArray<string> => {
  const has = (...keywords: ReadonlyArray<string>) => keywords.some((keyword) => keyword in schema)
  if (has("properties", "required", "additionalProperties", "patternProperties")) return ["object"]
  return has("items", "prefixItems") ? ["array"] : []
}

const typed = (type: unknown, schema: SchemaObject, referred: Referred): string => {
  switch (type) {
    case "object":
      return objectType(schema, referred)
    case "array":
      return arrayType(schema, referred)
    case "integer":
      return "number"
    case "string":
    case "number":
    case "boolean":
    case "null":
      return type
    default:
      return "unknown"
  }
}

const arrayType = (schema: SchemaObject, referred: Referred): string => {
  // Draft 07 has the first elements in `items`.
  const [first, further] = "prefixItems" in schema ? ["prefixItems", "items"] : ["items", "additionalItems"]
  const elements = listIn(schema, first)
  if (elements.length === 0) return listOf(typeOf(schemaOf(schema["items"]), referred))
  const others = schemaOf(schema[further])
  return `readonly [${[
    ...elements.map(
      (each, index) => `${part(typeOf(each, referred))}${index < Number(schema["minItems"] ?? 0) ? "" : "?"}`
    ),
    ...(others === false ? [] : [`...${listOf(typeOf(others, referred))}`])
  ].join(", ")}]`
}

const objectType = (schema: SchemaObject, referred: Referred): string => {
  const properties = entriesIn(schema, "properties")
  const listed = new Set(properties.map(([name]) => name))
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"].map(String) : [])
  const listedField = ([name, each]: readonly [string, Schema]) => {
    const isRequired = required.has(name)
    // To a compiler every object has those of `Object.prototype`, of other types.
    const type = !isRequired && name in Object.prototype ? "unknown" : typeOf(each, referred)
    return said(each) + fieldOf(name, type, isRequired ? "" : "?")
  }
  const unlisted = [...required].filter((name) => !listed.has(name))
  const fields = [...properties.map(listedField), ...unlisted.map((name) => fieldOf(name, "unknown"))]
  const others = otherNames(schema, fields.length > 0).map((each) => typeOf(each, referred))
  return objectOf(
    others.length === 0 ? fields : [...fields, behind("readonly [name: string]:", unionOf(others))]
  )
}

/** What names hold that are not listed; nothing where there are none. */
const otherNames = (schema: SchemaObject, hasFields: boolean): ReadonlyArray<Schema> => {
  const { additionalProperties: others } = schema
  const patterns = entriesIn(schema, "patternProperties").map(([, each]) => each)
  if (!hasFields) return [...patterns, schemaOf(others)]
  // The type of all other names must hold what the listed ones do.
  return patterns.length === 0 && (others === undefined || others === false) ? [] : [true]
}

/** What the schema tells its readers. */
const said = (schema: Schema): string => {
  if (typeof schema === "boolean") return ""
  const { default: value, deprecated, description } = schema
  return commentOf([
    ...(typeof description === "string" && description !== "" ? [description] : []),
    ...(value === undefined ? [] : [`@default ${JSON.stringify(value)}`]),
    ...(deprecated === true ? ["@deprecated"] : [])
  ])
}

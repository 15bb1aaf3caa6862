/** The types to print: every named schema of the APIs, in the order in which they are met, each with its place. */
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import { namesOfFields, namesOfPlaces, otherNames } from "./Names.ts"
import { type ApiName, apis, type Side, type Spoken } from "./Spoken.ts"

type Representation = SchemaRepresentation.Representation
type Field = SchemaRepresentation.PropertySignature

export interface Definition {
  readonly name: string
  readonly api: ApiName
  readonly side: Side
  readonly representation: Representation
  /** What is said of it where the contract says nothing. */
  readonly description?: string | undefined
}

/** The name that callers know a schema of the contract by. */
export const nameOf = (reference: string): string => otherNames[reference] ?? reference

/** A schema that is looked up by its place, having no name of its own. */
const namedByPlace = (api: ApiName, { place, schema, side }: Spoken): ReadonlyArray<Definition> => {
  const named = namesOfPlaces[api][place]
  if (named === undefined) return []
  const [name, description] = named
  const representation = side === "query" ? queryOf(schema) : encodedOf(schema)
  return [{ name, api, side, representation, description }]
}

/** A schema in its form in JSON. */
export const encodedOf = ({ ast }: Spoken["schema"]): Representation =>
  SchemaRepresentation.toRepresentation(ast).representation

/** In a URL numbers are text; callers give them as numbers. */
export const queryOf = (schema: Spoken["schema"]): Representation => {
  const encoded = encodedOf(schema)
  const decoded = SchemaRepresentation.toRepresentation(SchemaAST.toType(schema.ast)).representation
  if (encoded._tag !== "Objects" || decoded._tag !== "Objects") return encoded
  const numbers = new Map(
    decoded.propertySignatures
      .filter(({ type }) => type._tag === "Number")
      .map((field) => [field.name, field])
  )
  const propertySignatures = encoded.propertySignatures.map((field) => numbers.get(field.name) ?? field)
  return { ...encoded, propertySignatures }
}

const definitionsOf = (api: ApiName): ReadonlyArray<Definition> =>
  apis[api].flatMap((spoken): ReadonlyArray<Definition> => {
    const { references } = SchemaRepresentation.toRepresentations([spoken.schema.ast])
    const named = Object.entries(references).map(([reference, representation]) => ({
      name: nameOf(reference),
      api,
      side: spoken.side,
      representation
    }))
    return [...named, ...namedByPlace(api, spoken)]
  })

/** Each name once, where it is met first. */
const met = new Map<string, Definition>()
for (const definition of (["Integration", "Admin", "Runner"] as const).flatMap(definitionsOf)) {
  if (!met.has(definition.name)) met.set(definition.name, definition)
}

/** What a field holds, without lists and null around it. */
const heldBy = (type: Representation): Representation => {
  if (type._tag === "Arrays") return type.rest[0] === undefined ? type : heldBy(type.rest[0])
  if (type._tag !== "Union") return type
  const [only, ...others] = type.types.filter(({ _tag }) => _tag !== "Null")
  return only === undefined || others.length > 0 ? type : heldBy(only)
}

/** Two that look alike are one. Descriptions are those of the field. */
export const keyOf = (type: Representation): string =>
  JSON.stringify(type, (key, value: unknown) =>
    key === "checks" || key === "annotations" ? undefined : value
  )

const fieldOf = (path: string): { readonly owner: Definition; readonly field: Field } => {
  const [name = "", fieldName] = path.split(".")
  const owner = met.get(name)
  const fields = owner?.representation._tag === "Objects" ? owner.representation.propertySignatures : []
  const field = fields.find((each) => each.name === fieldName)
  if (owner === undefined || field === undefined) throw new Error(`The contract has no field ${path}`)
  return { owner, field }
}

const within = Object.entries(namesOfFields).map(([path, [name, description]]) => {
  const { field, owner } = fieldOf(path)
  return { owner, definition: { ...owner, name, description, representation: heldBy(field.type) } }
})

/** The names of words and objects within others, by how they look. */
export const namesWithin: ReadonlyMap<string, string> = new Map(
  within.map(({ definition }) => [keyOf(definition.representation), definition.name])
)

/** Everything that is printed, what others are made of before them. */
export const definitions: ReadonlyArray<Definition> = [...met.values()].flatMap((definition) => [
  ...within.filter(({ owner }) => owner === definition).map((each) => each.definition),
  definition
])

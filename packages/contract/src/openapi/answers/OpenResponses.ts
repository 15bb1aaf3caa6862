/**
 * Lets answers have fields that the document does not name, so that a new field
 * breaks no client. Requests stay closed: schemas that are read keep
 * `additionalProperties: false`.
 */
import { type Part, partOf } from "../Document.ts"

export const openResponses = (document: Part): Part => {
  const components = partOf(document["components"])
  const requested = reachable(components, requestBodies(document))
  const schemas = Object.entries(partOf(components["schemas"])).map(([name, schema]) => [
    name,
    requested.has(name) ? schema : opened(schema)
  ])
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } }
}

/** The schema without `additionalProperties: false`, at any depth. */
const opened = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(opened)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== "additionalProperties" || value !== false)
      .map(([key, value]) => [key, opened(value)])
  )
}

const requestBodies = (document: Part): ReadonlyArray<unknown> =>
  Object.values(partOf(document["paths"])).flatMap((path) =>
    Object.values(partOf(path)).map((operation) => partOf(operation)["requestBody"])
  )

/** The names of the component schemas that these parts refer to, directly or through others. */
const reachable = (components: Part, parts: ReadonlyArray<unknown>): ReadonlySet<string> => {
  const schemas = partOf(components["schemas"])
  const found = new Set<string>()
  const open = parts.flatMap(referencesIn)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...referencesIn(schemas[name]))
  }
  return found
}

const referencesIn = (part: unknown): ReadonlyArray<string> =>
  [...(JSON.stringify(part ?? null) ?? "").matchAll(/"#\/components\/schemas\/([^"]+)"/g)].flatMap(
    ([, name]) => name ?? []
  )

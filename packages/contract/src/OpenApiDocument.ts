/** What the OpenAPI documents share, and what they say that the definitions alone cannot. */
import * as OpenApi from "effect/http-api/OpenApi"

/** The version of the APIs; its first number is the one in their paths, `/api/v1`. */
export const apiVersion = "1.0.0"

type Document = Readonly<Record<string, unknown>>

/** The annotations of one API. `extend` may add to the finished document. */
export const documentation = (options: {
  readonly title: string
  readonly description: string
  readonly extend?: (document: Document) => Document
}) =>
  OpenApi.annotations({
    title: options.title,
    version: apiVersion,
    description: options.description,
    license: { name: "MIT", url: "https://spdx.org/licenses/MIT.html" },
    servers: [{ url: "/", description: "The service that serves this document." }],
    transform: (document) => {
      const opened = openResponses(document)
      return options.extend === undefined ? opened : options.extend(opened)
    }
  })

/**
 * Lets answers have fields that the document does not name, so that a field
 * can be added without breaking a client. Requests stay closed: what is read
 * only there keeps `additionalProperties: false`.
 */
export const openResponses = (document: Document): Document => {
  const requested = reachable(document, requestSchemas(document))
  const components = asObject(document["components"])
  const schemas = Object.entries(asObject(components["schemas"])).map(([name, schema]) => [
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

const requestSchemas = (document: Document): ReadonlyArray<unknown> =>
  Object.values(asObject(document["paths"])).flatMap((path) =>
    Object.values(asObject(path)).map((operation) => asObject(operation)["requestBody"])
  )

/** The names of the components that these schemas refer to, directly or through others. */
const reachable = (document: Document, schemas: ReadonlyArray<unknown>): ReadonlySet<string> => {
  const components = asObject(asObject(document["components"])["schemas"])
  const found = new Set<string>()
  const open = schemas.flatMap(referencesIn)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...referencesIn(components[name]))
  }
  return found
}

const referencesIn = (schema: unknown): ReadonlyArray<string> =>
  [...(JSON.stringify(schema ?? null) ?? "").matchAll(/"#\/components\/schemas\/([^"]+)"/g)].flatMap(
    ([, name]) => name ?? []
  )

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

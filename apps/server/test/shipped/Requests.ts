/** Requests of every kind, made of the service's own OpenAPI documents: as they are documented, and broken in each way. */
import * as Schema from "effect/Schema"

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

const Parameter = Schema.Struct({ name: Schema.String, in: Schema.String })
const Operation = Schema.Struct({
  parameters: Schema.optionalKey(Schema.Array(Parameter)),
  requestBody: Schema.optionalKey(
    Schema.Struct({
      content: Schema.Record(Schema.String, Schema.Struct({ example: Schema.optionalKey(Schema.Json) }))
    })
  )
})
type Operation = typeof Operation.Type

const Document = Schema.Struct({
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation))
})
export const decodeDocument = Schema.decodeUnknownSync(Document)
export type Document = typeof Document.Type

/** What takes the place of an id in a path or in an example, by its name there. */
export type Known = Readonly<Record<string, string>>

const strange = "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"

const filled = (path: string, known: Known): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? strange)

/** The example with the ids that are known, and with URLs that nobody is asked at. */
const exampleOf = ({ requestBody }: Operation, known: Known): Schema.Json | undefined => {
  const example = requestBody?.content["application/json"]?.example
  if (example === undefined) return undefined
  return JSON.parse(JSON.stringify(example), (name, value: unknown) => {
    if (name === "wait_ms") return 0
    if (typeof value !== "string") return value
    return known[name] ?? value.replace(/^https?:.*/, "http://127.0.0.1:1/")
  })
}

const isObject = Schema.is(Schema.Record(Schema.String, Schema.Json))

/** Bodies of which each breaks one rule. */
const brokenBodies = (example: Schema.Json): ReadonlyArray<Sent["body"]> => {
  const texts = ["", "{", "null", "[]", "{}", '"x"', `${"[".repeat(200)}${"]".repeat(200)}`]
  const fields = isObject(example) ? Object.keys(example) : []
  const mixed = fields.flatMap((field) =>
    [undefined, null, -1.5, "\u0000", {}].map((value) =>
      JSON.stringify(Object.assign({}, example, { [field]: value }))
    )
  )
  return [...texts, new Uint8Array([0x22, 0xff, 0x22]), ...mixed]
}

const json = { "content-type": "application/json" }

/** The requests of a document: first those that are refused, then those that it shows. */
export const requestsOf = ({ paths }: Document, key: string, known: Known): ReadonlyArray<Sent> => {
  const authorization = { authorization: `Bearer ${key}` }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )
  const refused = operations.flatMap(({ method, operation, path }): ReadonlyArray<Sent> => {
    const plain = { method, path: filled(path, known), headers: authorization }
    const example = exampleOf(operation, known)
    const queries = (operation.parameters ?? [])
      .filter((each) => each.in === "query")
      .flatMap(({ name }) => ["", "%ff", "-1", "x", "1969-12-31T00:00:00Z"].map((text) => `${name}=${text}`))
    return [
      { ...plain, method: "PURGE" },
      { ...plain, headers: {} },
      { ...plain, headers: { ...authorization, accept: "text/html" } },
      { ...plain, headers: { ...authorization, "content-type": "text/plain" }, ...bodyOf(method, "{}") },
      ...["%ff", "x", "%00", "a%2Fb", ".."].map((text) => ({
        ...plain,
        path: path.replaceAll(/\{\w+\}/g, text)
      })),
      ...["unknown=1", ...queries].map((query) => ({ ...plain, path: `${plain.path}?${query}` })),
      ...(example === undefined ? [] : brokenBodies(example)).map((body) => ({
        ...plain,
        headers: { ...authorization, ...json },
        ...bodyOf(method, body)
      }))
    ]
  })
  const documented = operations.map(({ method, operation, path }): Sent => {
    const example = exampleOf(operation, known)
    return {
      method,
      path: filled(path, known),
      headers: { ...authorization, ...(example === undefined ? {} : json) },
      ...(example === undefined ? {} : { body: JSON.stringify(example) })
    }
  })
  return [...refused, ...documented]
}

const bodyOf = (method: string, body: Sent["body"]) =>
  body === undefined || method === "GET" ? {} : { body }

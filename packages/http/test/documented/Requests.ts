/** Requests as the document of an operation describes them. */
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import type { Operation } from "../Documented.ts"
import { resolved } from "./Schemas.ts"

/** What exists, by the names of fields and parameters that refer to it. */
export type Known = { readonly [name: string]: string | number }

/** The parts of a request, each as the schema of an object or of the body. */
export interface Parts {
  readonly path: Part
  readonly query: Part
  readonly header: Part
  /** Undefined if there is none, or none in JSON. */
  readonly body: Part | undefined
}

export const partsOf = ({ description, document }: Operation): Parts => {
  const parameters = partOf(resolved(document, { all: description["parameters"] ?? [] }))["all"]
  const body = partOf(partOf(partOf(description["requestBody"])["content"])["application/json"])["schema"]
  const objectOf = (place: string): Part => {
    const found = (Array.isArray(parameters) ? parameters : [])
      .map(partOf)
      .filter((parameter) => parameter["in"] === place)
    return {
      type: "object",
      properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
      required: found.filter(({ required }) => required === true).map(({ name }) => name),
      additionalProperties: false
    }
  }
  return {
    path: objectOf("path"),
    query: objectOf("query"),
    header: objectOf("header"),
    body: body === undefined ? undefined : partOf(resolved(document, body))
  }
}

/** The values of a request. */
export interface Values {
  readonly path: Part
  readonly query: Part
  readonly header: Part
  readonly body?: unknown
}

/** The request with these values: its target, and what `fetch` takes beside. */
export const requestOf = ({ method, path }: Operation, values: Values, key: string) => {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => encoded(values.path[name]))
  const pairs = Object.entries(values.query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => `${encoded(name)}=${encoded(each)}`)
  )
  const headers = Object.entries(values.header).map(([name, value]) => [name, String(value)])
  const init = {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(values.body === undefined ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(headers)
    },
    ...(values.body === undefined ? {} : { body: JSON.stringify(values.body) })
  }
  return { target: pairs.length === 0 ? target : `${target}?${pairs.join("&")}`, init }
}

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed())

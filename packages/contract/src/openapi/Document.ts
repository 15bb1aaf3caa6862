/** An OpenAPI document as JSON, and how to walk it. */
import * as Record from "effect/Record"

/** A JSON object of the document. */
export type Part = Readonly<Record<string, unknown>>

/** The object at a place of the document; empty if there is none. */
export const partOf = (value: unknown): Part =>
  typeof value === "object" && value !== null ? { ...value } : {}

/** A header of requests. */
export const header = (name: string, description: string, schema: Part = {}) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", ...schema }
})

/** The document with every operation of its paths changed. */
export const mapOperations = (document: Part, change: (operation: Part) => Part): Part => ({
  ...document,
  paths: Record.map(partOf(document["paths"]), (path) =>
    Record.map(partOf(path), (operation) => change(partOf(operation)))
  )
})

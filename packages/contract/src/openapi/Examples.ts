/** Puts an example beside every JSON body of a document: of requests, of answers, of errors and of callbacks. */
import * as Record from "effect/Record"
import { type Part, partOf } from "./Document.ts"
import { composer, nameIn } from "./examples/Composed.ts"
import { errorExamples } from "./examples/Errors.ts"

export const describeExamples = (document: Part): Part => {
  const compose = composer(partOf(partOf(document["components"])["schemas"]))

  const exemplified = (media: unknown, ofStatus: unknown): Part => {
    const examples = namesIn(partOf(media)["schema"]).map(
      (name) => [name, { value: ofStatus ?? compose(name) }] as const
    )
    const [only] = examples
    if (only === undefined) return partOf(media)
    return examples.length === 1
      ? { ...partOf(media), example: only[1].value }
      : { ...partOf(media), examples: Object.fromEntries(examples) }
  }

  /** The same with examples beside all bodies inside, those of errors by the status of the answer. */
  const within = (value: unknown, ofStatus?: unknown): unknown => {
    if (Array.isArray(value) || typeof value !== "object" || value === null) return value
    return Record.map(partOf(value), (child, key) => {
      if (key === "responses") {
        return Record.map(partOf(child), (answer, status) => within(answer, errorExamples[status]?.value))
      }
      if (key !== "content") return within(child, ofStatus)
      return Record.map(partOf(child), (media, type) =>
        type === "application/json" ? exemplified(media, ofStatus) : media
      )
    })
  }

  const { paths, webhooks, ...rest } = document
  return { ...rest, paths: within(paths), ...(webhooks === undefined ? {} : { webhooks: within(webhooks) }) }
}

/** The components that a schema is, or is one of. */
const namesIn = (schema: unknown): ReadonlyArray<string> => {
  const { $ref, anyOf } = partOf(schema)
  if (Array.isArray(anyOf)) return anyOf.flatMap(namesIn)
  return typeof $ref === "string" ? [nameIn($ref)] : []
}

/** Puts an example beside every JSON body of a document: of requests, of answers and of errors. */
import * as Record from "effect/Record"
import * as SchemaAST from "effect/SchemaAST"
import { type Part, partOf } from "./Document.ts"
import { auditExamples } from "./examples/Audit.ts"
import { catalogExamples } from "./examples/Catalog.ts"
import { errorExamples } from "./examples/Errors.ts"
import type { Example } from "./examples/Example.ts"
import { executionExamples } from "./examples/Executions.ts"
import { historyExamples } from "./examples/History.ts"
import { keyExamples } from "./examples/Keys.ts"
import { runnerExamples } from "./examples/Runners.ts"
import { sessionExamples } from "./examples/Sessions.ts"
import { usageExamples } from "./examples/Usage.ts"
import { webhookExamples } from "./examples/Webhooks.ts"

/** One of each body, by the name that its schema has in the documents. */
export const bodyExamples: { readonly [component: string]: Example } = Object.fromEntries(
  [
    executionExamples,
    historyExamples,
    catalogExamples,
    keyExamples,
    auditExamples,
    usageExamples,
    webhookExamples,
    runnerExamples,
    sessionExamples
  ]
    .flat()
    .map((example) => [SchemaAST.resolveIdentifier(example.schema.ast) ?? "", example])
)

export const describeExamples = (document: Part): Part => ({
  ...document,
  paths: Record.map(partOf(document["paths"]), withExamples)
})

/** A path with the examples of its operations. */
const withExamples = (path: unknown): Part =>
  Record.map(partOf(path), (value) => {
    const { requestBody, responses, ...operation } = partOf(value)
    return {
      ...operation,
      ...(requestBody === undefined ? {} : { requestBody: exemplified(requestBody, undefined) }),
      responses: Record.map(partOf(responses), (answer, status) => exemplified(answer, errorExamples[status]))
    }
  })

/** A body with the example of its schema, or with that of its status. */
const exemplified = (body: unknown, ofStatus: Example | undefined): Part => {
  const { content, ...rest } = partOf(body)
  if (content === undefined) return rest
  return {
    ...rest,
    content: Record.map(partOf(content), (media) => {
      const names = namesIn(partOf(media)["schema"])
      const examples = names.flatMap((name) => {
        const example = ofStatus ?? bodyExamples[name]
        return example === undefined ? [] : [[name, { value: example.value }] as const]
      })
      const [only] = examples
      if (only === undefined) return media
      return examples.length === 1
        ? { ...partOf(media), example: only[1].value }
        : { ...partOf(media), examples: Object.fromEntries(examples) }
    })
  }
}

/** The components that a schema is, or is one of. */
const namesIn = (schema: unknown): ReadonlyArray<string> => {
  const { $ref, anyOf } = partOf(schema)
  if (Array.isArray(anyOf)) return anyOf.flatMap(namesIn)
  return typeof $ref === "string" ? [$ref.slice($ref.lastIndexOf("/") + 1)] : []
}

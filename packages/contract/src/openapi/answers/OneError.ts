/** Shows all errors as one schema, so that a client has one type to handle. Which codes an answer has, its description says. */
import * as Record from "effect/Record"
import * as Struct from "effect/Struct"
import { mapOperations, type Part, partOf } from "../Document.ts"

const errorSchema = { $ref: "#/components/schemas/Error" }

/** An answer with the error object. */
export const refusal = (description: string, ...codes: ReadonlyArray<string>) => ({
  description: `${description} (${(codes.length === 0 ? ["invalid_request"] : codes).map(quoted).join(", ")})`,
  content: { "application/json": { schema: errorSchema } }
})

const quoted = (code: string): string => `\`${code}\``

/** Puts the one schema in the place of those of the definitions, which differ by their codes. */
export const describeErrors = (document: Part): Part => {
  const { schemas: given, ...components } = partOf(document["components"])
  const schemas = partOf(given)
  const replaced = new Set<string>()

  const describe = (answer: unknown): unknown => {
    const { content, description } = partOf(answer)
    const reference = String(partOf(partOf(partOf(content)["application/json"])["schema"])["$ref"])
    const name = reference.slice(reference.lastIndexOf("/") + 1)
    if (reference === errorSchema.$ref || !(name in schemas)) return answer
    replaced.add(name)
    return refusal(String(description), ...codesOf(schemas[name]))
  }

  const described = mapOperations(document, (operation) => ({
    ...operation,
    responses: Record.map(partOf(operation["responses"]), (answer, status) =>
      Number(status) < 400 ? answer : describe(answer)
    )
  }))
  return { ...described, components: { ...components, schemas: Struct.omit(schemas, [...replaced]) } }
}

const codesOf = (schema: unknown): ReadonlyArray<string> => {
  const error = partOf(partOf(partOf(schema)["properties"])["error"])
  return wordsOf(partOf(error["properties"])["code"])
}

const wordsOf = (schema: unknown): ReadonlyArray<string> => {
  const { anyOf, enum: words } = partOf(schema)
  return Array.isArray(anyOf) ? anyOf.flatMap(wordsOf) : Array.isArray(words) ? words.map(String) : []
}

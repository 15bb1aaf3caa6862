/** What is wrong with an answer, by the document of its operation. */
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Operation } from "../Documented.ts"
import { resolved, schemaOf } from "./Schemas.ts"

export interface Answered {
  readonly status: number
  readonly form: string
  readonly text: string
}

type Decode = (body: unknown) => Result.Result<unknown, Error>

/** To make one of a schema costs more than to judge many answers by it. */
const decoders = new Map<Part, Map<string, Decode>>()

const decodeBy = (document: Part, schema: unknown): Decode => {
  const made = decoders.get(document) ?? new Map<string, Decode>()
  decoders.set(document, made)
  const text = JSON.stringify(schema)
  const decode = made.get(text) ?? Schema.decodeUnknownResult(schemaOf(partOf(resolved(document, schema))))
  made.set(text, decode)
  return decode
}

/** Undefined if the answer is one of those that the document describes. */
export const flawOf = (operation: Operation, { form, status, text }: Answered): string | undefined => {
  const described = partOf(partOf(operation.description["responses"])[String(status)])
  const content = partOf(described["content"])
  if (Object.keys(content).length === 0) return text === "" ? undefined : "has a body"
  const schema = partOf(content[form])["schema"]
  if (schema === undefined) return `is ${form}`
  if (form !== "application/json") return undefined
  const body: unknown = JSON.parse(text)
  const decoded = decodeBy(operation.document, schema)(body)
  if (Result.isFailure(decoded)) return `breaks its schema: ${decoded.failure.message}`
  const code = partOf(partOf(body)["error"])["code"]
  return status < 400 || String(described["description"]).includes(`\`${String(code)}\``)
    ? undefined
    : `has the code ${String(code)}`
}

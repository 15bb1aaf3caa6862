/** Documents the headers of answers, which the service sets outside the endpoints. */
import * as Record from "effect/Record"
import { mapOperations, type Part, partOf } from "../Document.ts"

const seconds = { type: "integer", minimum: 0 }

/** Component headers by the name they have in answers. */
const headers = {
  "x-request-id": {
    description: "Correlation id of the request; the same as `request_id` in the body.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9a-z]+$" }
  },
  "www-authenticate": {
    description: "How to authenticate.",
    required: true,
    schema: { type: "string", const: "Bearer" }
  },
  allow: { description: "The methods of the path.", required: true, schema: { type: "string" } },
  "content-range": {
    description: "Which bytes of how many.",
    required: true,
    schema: { type: "string", pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" }
  },
  etag: {
    description: "The tag of what is shown, for `If-None-Match`.",
    schema: { type: "string", pattern: '^(W/)?"[^"]+"$' }
  },
  "retry-after": { description: "Seconds to wait before another try.", required: true, schema: seconds },
  "ratelimit-limit": { description: "Requests that the key may make at once.", schema: seconds },
  "ratelimit-remaining": { description: "How many of them are left.", schema: seconds },
  "ratelimit-reset": { description: "Seconds until all of them are available again.", schema: seconds }
}

type Name = keyof typeof headers

/** The headers of these statuses, besides the request id. */
const ofStatus: { readonly [status: string]: ReadonlyArray<Name> } = {
  "401": ["www-authenticate"],
  "405": ["allow"],
  "429": ["retry-after", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"],
  "503": ["retry-after"]
}

/** Adds their headers to all answers. */
export const describeHeaders = (document: Part): Part => {
  const described = mapOperations(document, (operation) => ({
    ...operation,
    responses: Record.map(partOf(operation["responses"]), withHeaders)
  }))
  const text = JSON.stringify(described)
  const used = Record.filter(headers, (_, name) => text.includes(JSON.stringify(referenceTo(name))))
  return { ...described, components: { ...partOf(described["components"]), headers: used } }
}

const referenceTo = (name: string) => ({ $ref: `#/components/headers/${name}` })

const withHeaders = (answer: unknown, status: string): Part => {
  const names: ReadonlyArray<Name> = ["x-request-id", ...(ofStatus[status] ?? [])]
  const references = names.map((name) => [name, referenceTo(name)])
  const { headers: own, ...rest } = partOf(answer)
  return { ...rest, headers: { ...partOf(own), ...Object.fromEntries(references) } }
}

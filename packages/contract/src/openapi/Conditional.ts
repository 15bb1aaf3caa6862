/** Says of an operation that it answers under a tag, and 304 to who has that already. */
import { type Part, partOf } from "./Document.ts"

const ifNoneMatch = {
  name: "if-none-match",
  in: "header",
  required: false,
  description:
    "Tags that the caller has, as in the ETag of an earlier answer. When one of them is still right, the answer is 304.",
  schema: { type: "string" }
}

export const unchanged = {
  description: "It is as it was when its ETag was given.",
  headers: { etag: { $ref: "#/components/headers/etag" } }
}

/** Annotates an endpoint: `.annotate(OpenApi.Transform, conditional)`. */
export const conditional = (operation: Part): Part => {
  const { parameters, responses } = operation
  const { "200": found, ...others } = partOf(responses)
  const { headers, ...answer } = partOf(found)
  return {
    ...operation,
    parameters: [...(Array.isArray(parameters) ? parameters : []), ifNoneMatch],
    responses: {
      "200": { ...answer, headers: { ...partOf(headers), ...unchanged.headers } },
      "304": unchanged,
      ...others
    }
  }
}

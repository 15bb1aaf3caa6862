/** Documents that an operation answers with an ETag, and with 304 to a caller that has it already. */
import { header, type Part, partOf } from "./Document.ts"

const ifNoneMatch = header(
  "if-none-match",
  "Tags from the ETag of earlier answers. If one of them is still current, the answer is 304."
)

export const unchanged = {
  description: "Nothing has changed since the ETag was given.",
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

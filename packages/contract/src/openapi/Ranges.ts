/** Documents that an operation answers the bytes of a file, whole or in part. */
import { conditional } from "./Conditional.ts"
import { header, type Part, partOf } from "./Document.ts"
import { refusal } from "./answers/OneError.ts"

/** The headers of a request for a part. */
export const rangeHeaders = [
  header("range", "The wanted bytes, as in `bytes=0-1023`."),
  header("if-range", "Answers the part only if the file still has this ETag, and otherwise the whole file.")
]

export const contentRange = { headers: { "content-range": { $ref: "#/components/headers/content-range" } } }

/** Annotates an endpoint: `.annotate(OpenApi.Transform, inRanges)`. */
export const inRanges = (operation: Part): Part => {
  const { parameters, responses } = operation
  const { "200": file, ...others } = partOf(responses)
  return conditional({
    ...operation,
    parameters: [...(Array.isArray(parameters) ? parameters : []), ...rangeHeaders],
    responses: {
      "200": file,
      "206": { ...partOf(file), description: "The requested part.", ...contentRange },
      "406": refusal("The request does not accept JSON"),
      "416": { ...refusal("The range is beyond the end of the file"), ...contentRange },
      ...others
    }
  })
}

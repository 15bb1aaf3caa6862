/** What requests are answered before they come to an endpoint, of which the definitions say nothing. */
import { mapOperations, type Part, partOf } from "./Document.ts"

/** An answer of the error object; as a malformed request gets it, unless it is said to be another. */
export const refusal = (description: string, schema = "InvalidRequestError") => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } }
})

export const methodNotAllowed = { "405": refusal("The path has other methods: see Allow") }

/** What can happen to any request. */
export const failures = {
  "500": refusal("Unexpected failure", "InternalErrorBody"),
  "503": refusal("Try again later", "UnavailableError")
}

const notAcceptable = { "406": refusal("The request accepts nothing that the answer could be told in") }

const bodyRefused = {
  "413": refusal("The body is larger than 1 MiB"),
  "415": refusal("The body is not JSON, or compressed")
}

export const describeRefusals = (document: Part): Part =>
  mapOperations(document, (operation) => {
    const { "404": unknown, "422": ruleBroken, ...responses } = partOf(operation["responses"])
    const readsBody = operation["requestBody"] !== undefined
    return {
      ...operation,
      responses: {
        ...responses,
        // Members' accounts are looked for wherever a path names one; what else is unknown, an endpoint says itself.
        ...(unknown !== undefined && (namesThings(operation) || !isForMembers(operation))
          ? { "404": unknown }
          : {}),
        ...methodNotAllowed,
        ...(Object.entries(responses).some(isFound) ? notAcceptable : {}),
        // Without a body there is none whose rule could be broken.
        ...(readsBody ? { ...bodyRefused, "422": ruleBroken } : {})
      }
    }
  })

const namesThings = ({ parameters }: Part): boolean =>
  Array.isArray(parameters) && parameters.some((parameter) => partOf(parameter)["in"] === "path")

const isForMembers = ({ security }: Part): boolean =>
  Array.isArray(security) && security.some((way) => "adminKey" in partOf(way))

/** Whether it is a success that is told in JSON or events. */
const isFound = ([status, answer]: readonly [string, unknown]): boolean => {
  const content = partOf(partOf(answer)["content"])
  return status.startsWith("2") && ["application/json", "text/event-stream"].some((form) => form in content)
}

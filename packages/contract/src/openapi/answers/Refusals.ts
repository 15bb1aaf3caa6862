/** How requests are refused before they reach an endpoint. The definitions do not say. */
import { mapOperations, type Part, partOf } from "../Document.ts"
import { describeErrors, refusal } from "./OneError.ts"

export const methodNotAllowed = { "405": refusal("The path has other methods: see Allow") }

/** What can happen to any request. */
export const failures = {
  "500": refusal("Unexpected failure", "internal_error"),
  "503": refusal("Try again later", "internal_error")
}

const notAcceptable = { "406": refusal("The request accepts none of the media types of the answer") }

const bodyRefused = {
  "413": refusal("The body is larger than 1 MiB"),
  "415": refusal("The body is not JSON, or compressed")
}

export const describeRefusals = (document: Part): Part =>
  mapOperations(describeErrors(document), (operation) => {
    const { "404": unknown, "422": ruleBroken, ...responses } = partOf(operation["responses"])
    const readsBody = operation["requestBody"] !== undefined
    return {
      ...operation,
      responses: {
        ...responses,
        // Members' accounts are looked up wherever a path names one; an endpoint documents other unknown things
        // itself.
        ...(unknown !== undefined && (namesThings(operation) || !isForMembers(operation))
          ? { "404": unknown }
          : {}),
        ...methodNotAllowed,
        ...(Object.entries(responses).some(isFound) ? notAcceptable : {}),
        // Without a body, no rule of one can be broken.
        ...(readsBody ? { ...bodyRefused, "422": ruleBroken } : {})
      }
    }
  })

const namesThings = ({ parameters }: Part): boolean =>
  Array.isArray(parameters) && parameters.some((parameter) => partOf(parameter)["in"] === "path")

const isForMembers = ({ security }: Part): boolean =>
  Array.isArray(security) && security.some((way) => "adminKey" in partOf(way))

/** Whether it is a success in JSON or events. */
const isFound = ([status, answer]: readonly [string, unknown]): boolean => {
  const content = partOf(partOf(answer)["content"])
  return status.startsWith("2") && ["application/json", "text/event-stream"].some((form) => form in content)
}

/** Answers that are a list in JSON, and a stream of Server-Sent Events for those who ask for it. */
import * as Schema from "effect/Schema"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { type Part, partOf } from "./Document.ts"

export const eventForm = "text/event-stream"

/** The header of such an endpoint. */
export const resumingHeaders = {
  "last-event-id": Schema.optionalKey(inQuery(queryNumbers.after)).annotate({
    description: "The same as `after`, as clients of event streams send it when they reconnect. It wins."
  })
}

/** Annotates an endpoint: `.annotate(OpenApi.Transform, alsoInEvents(example))`, with an event of the stream. */
export const alsoInEvents =
  (example: string) =>
  (operation: Part): Part => {
    const { "200": list, ...others } = partOf(operation["responses"])
    const { content, ...answer } = partOf(list)
    return {
      ...operation,
      responses: {
        "200": {
          ...answer,
          content: { ...partOf(content), [eventForm]: { schema: { type: "string" }, example } }
        },
        "204": {},
        ...others
      }
    }
  }

/** What the document says about answers beyond the definitions: those without a body, and event streams. */
import * as Function from "effect/Function"
import * as Record from "effect/Record"
import * as Struct from "effect/Struct"
import { bytes } from "../Bytes.ts"
import { mapOperations, type Part, partOf } from "../Document.ts"

/** Describes answers without a body, about which the definitions say nothing more. */
const describeEmptyAnswers = (document: Part): Part =>
  mapOperations(document, (operation) => {
    const { "204": done, "302": redirect, ...others } = partOf(operation["responses"])
    return {
      ...operation,
      responses: {
        ...(done === undefined ? {} : { "204": { ...partOf(done), description: "Done." } }),
        ...(redirect === undefined ? {} : redirected(partOf(redirect))),
        ...others
      }
    }
  })

/** A redirect, and what a caller sees who follows it, as most do. */
const redirected = (redirect: Part): Part => ({
  "200": bytes(
    "The file, from the storage and under its own media type, for callers that follow the redirect."
  ),
  "302": { ...redirect, description: "To a signed URL of the file that soon expires." }
})

/** Leaves out what the definitions say about event streams only for their own clients. */
const describeEventStreams = (document: Part): Part =>
  mapOperations(document, (operation) => ({
    ...operation,
    responses: Record.map(partOf(operation["responses"]), (answer) => {
      const { content, ...rest } = partOf(answer)
      return content === undefined
        ? rest
        : {
            ...rest,
            content: Record.map(partOf(content), (form) => Struct.omit(partOf(form), ["x-effect-stream"]))
          }
    })
  }))

export const describeAnswers = Function.flow(describeEmptyAnswers, describeEventStreams)

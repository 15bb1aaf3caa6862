/** Leaves out what the definitions say about event streams only for their own clients. */
import * as Record from "effect/Record"
import * as Struct from "effect/Struct"
import { mapOperations, type Part, partOf } from "./Document.ts"

export const describeEventStreams = (document: Part): Part =>
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

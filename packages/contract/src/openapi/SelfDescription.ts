/**
 * What the document says about itself: the contact, and the endpoint that serves
 * it, which is not among the definitions.
 */
import { conditional } from "./Conditional.ts"
import { type Part, partOf } from "./Document.ts"
import { failures, methodNotAllowed } from "./answers/Refusals.ts"

const tag = { name: "document", description: "This description." }

const operation = conditional({
  tags: [tag.name],
  operationId: "document.get",
  summary: "OpenAPI description",
  description: "This document. This call needs no key.",
  security: [],
  responses: {
    "200": {
      description: "This document.",
      content: { "application/json": { schema: { type: "object" } } }
    },
    ...methodNotAllowed,
    ...failures
  }
})

const contact = { name: "The operator of the service" }

/** Adds the contact, and the endpoint at the path. */
export const describeItself =
  (path: string) =>
  (document: Part): Part => ({
    ...document,
    info: { ...partOf(document["info"]), contact },
    tags: [...(Array.isArray(document["tags"]) ? document["tags"] : []), tag],
    paths: { ...partOf(document["paths"]), [path]: { get: operation } }
  })

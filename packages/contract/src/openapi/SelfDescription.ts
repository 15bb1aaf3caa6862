/** The endpoint that serves the document, in the document. It is no endpoint of the definitions: it serves them. */
import { type Part, partOf } from "./Document.ts"

const tag = { name: "document", description: "This description." }

const operation = {
  tags: [tag.name],
  operationId: "document.get",
  summary: "OpenAPI description",
  security: [],
  responses: {
    "200": {
      description: "This document.",
      content: { "application/json": { schema: { type: "object" } } }
    },
    "304": { description: "It is as it was when its ETag was given." },
    "4XX": {
      description: "Malformed request",
      content: { "application/json": { schema: { $ref: "#/components/schemas/InvalidRequestError" } } }
    }
  }
}

/** Adds the endpoint at the path. */
export const describeItself =
  (path: string) =>
  (document: Part): Part => ({
    ...document,
    tags: [...(Array.isArray(document["tags"]) ? document["tags"] : []), tag],
    paths: { ...partOf(document["paths"]), [path]: { get: operation } }
  })

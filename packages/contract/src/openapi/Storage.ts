/**
 * The signed URLs under which the service keeps the bytes of artifacts itself,
 * in the document of those who upload them. They are no endpoints of the
 * definitions: they take and give bytes, and have their own hosts elsewhere.
 */
import { hostedFilesPath } from "@runhook/core/domain/artifact/Artifact"
import { conditional } from "./Conditional.ts"
import { type Part, partOf } from "./Document.ts"
import { failures, methodNotAllowed, refusal } from "./Refusals.ts"

const tag = {
  name: "storage",
  description: "The bytes of artifacts, under signed URLs, unless the operator keeps them in S3."
}

const grant = {
  name: "grant",
  in: "query",
  required: true,
  description: "The signature, as it stands in the URL that the service has given. It is the only key.",
  schema: { type: "string" }
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" }
})

const bytes = (description: string) => ({ description, content: { "*/*": { schema: {} } } })

const shared = { tags: [tag.name], security: [] }

const refusals = {
  "403": refusal("The URL is forged, has expired, or is for something else", "ForbiddenError"),
  ...methodNotAllowed,
  ...failures
}

const upload = {
  ...shared,
  operationId: "storage.upload",
  summary: "Upload a file",
  description:
    "Takes the bytes that were announced: exactly as many, with their SHA-256. Use method, URL and headers as they were given when the artifact was registered.",
  parameters: [grant],
  requestBody: { required: true, ...bytes("The bytes of the file.") },
  responses: {
    "204": { description: "Done." },
    "400": refusal("The bytes ended early"),
    "422": refusal("The bytes are not those that were announced", "UnprocessableError"),
    ...refusals
  }
}

const download = conditional({
  ...shared,
  operationId: "storage.download",
  summary: "Download a file",
  description: "Answers the bytes of a file, whole or in part. Callers come here by a redirect.",
  parameters: [
    grant,
    header("range", "The bytes that are wanted, as in `bytes=0-1023`."),
    header("if-range", "The part is wanted only of the file with this ETag, and otherwise the whole.")
  ],
  responses: {
    "200": bytes("The file."),
    "206": {
      ...bytes("The part that was asked for."),
      headers: { "content-range": { $ref: "#/components/headers/content-range" } }
    },
    "404": refusal("The file is no longer there", "NotFoundError"),
    "416": {
      ...refusal("The range is beyond the end of the file"),
      headers: { "content-range": { $ref: "#/components/headers/content-range" } }
    },
    ...refusals
  }
})

/** Adds the two routes. */
export const describeStorage = (document: Part): Part => ({
  ...document,
  tags: [...(Array.isArray(document["tags"]) ? document["tags"] : []), tag],
  paths: { ...partOf(document["paths"]), [hostedFilesPath]: { get: download, put: upload } }
})

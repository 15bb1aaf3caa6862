/**
 * The signed URLs under which the service itself keeps the bytes of artifacts, for
 * those who upload them. They are not among the definitions: they take and give
 * bytes, and other storages have their own hosts.
 */
import { hostedFilesPath } from "@runhook/core/artifacts/Artifact"
import { bytes } from "./Bytes.ts"
import { conditional } from "./Conditional.ts"
import { type Part, partOf } from "./Document.ts"
import { refusal } from "./answers/OneError.ts"
import { contentRange, rangeHeaders } from "./Ranges.ts"
import { failures, methodNotAllowed } from "./answers/Refusals.ts"

const tag = {
  name: "storage",
  description: "The bytes of artifacts, under signed URLs."
}

const grant = {
  name: "grant",
  in: "query",
  required: true,
  description: "The signature from the URL that the service gave. No other key is needed.",
  schema: { type: "string" }
}

const shared = { tags: [tag.name], security: [] }

const refusals = {
  "403": refusal("The URL is forged, has expired, or is for something else", "forbidden"),
  ...methodNotAllowed,
  ...failures
}

const upload = {
  ...shared,
  operationId: "storage.upload",
  summary: "Upload a file",
  description:
    "Takes the announced bytes: exactly as many, with their SHA-256. Use the method, URL and headers from the registration of the artifact.",
  parameters: [grant],
  requestBody: { required: true, ...bytes("The bytes of the file.") },
  responses: {
    "204": { description: "Done." },
    "400": refusal("The bytes ended early"),
    "422": refusal("The bytes are not the announced ones", "invalid_request"),
    ...refusals
  }
}

const download = conditional({
  ...shared,
  operationId: "storage.download",
  summary: "Download a file",
  description: "Answers the bytes of a file, whole or in part. Callers come here by a redirect.",
  parameters: [grant, ...rangeHeaders],
  responses: {
    "200": bytes(
      "The file. A picture or a video comes under the type that its first bytes show; everything else is to be saved, as `application/octet-stream`."
    ),
    "206": { ...bytes("The requested part."), ...contentRange },
    "404": refusal("The file is no longer there", "not_found"),
    "416": { ...refusal("The range is beyond the end of the file"), ...contentRange },
    ...refusals
  }
})

/** Adds the two routes. */
export const describeStorage = (document: Part): Part => ({
  ...document,
  tags: [...(Array.isArray(document["tags"]) ? document["tags"] : []), tag],
  paths: { ...partOf(document["paths"]), [hostedFilesPath]: { get: download, put: upload } }
})

/** The params and the result of the demo task. */
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { callbackUrlLengthMax } from "@runhook/core/shared/target/TargetRefused"
import * as Schema from "effect/Schema"

const draft = "https://json-schema.org/draft/2020-12/schema"

/** `url` has no default here, since the service's own URL may change with every start. */
export const paramsSchema: JsonObject = {
  $schema: draft,
  type: "object",
  properties: {
    url: {
      description:
        "The page to fetch, under the same rules as callbacks. Without one: a page of the service itself.",
      type: "string",
      format: "uri",
      pattern: "^https?://",
      maxLength: callbackUrlLengthMax
    }
  },
  additionalProperties: false
}

export const Params = Schema.Struct({ url: Schema.optionalKey(Schema.String) })

const figure = (description: string) => ({ description, type: "integer", minimum: 0 })

export const resultSchema: JsonObject = {
  $schema: draft,
  type: "object",
  properties: {
    url: { description: "Where the page was in the end, after redirects.", type: "string" },
    status: { description: "The HTTP status it was answered with.", type: "integer" },
    content_type: { type: "string" },
    bytes: figure("Bytes of the page that were kept."),
    truncated: { description: "Whether the page was longer than that.", type: "boolean" },
    title: { type: ["string", "null"] },
    sha256: { description: "Of the bytes kept.", type: "string", pattern: "^[0-9a-f]{64}$" },
    duration_ms: figure("Milliseconds until the page was there.")
  },
  required: ["url", "status", "content_type", "bytes", "truncated", "title", "sha256", "duration_ms"],
  additionalProperties: false
}

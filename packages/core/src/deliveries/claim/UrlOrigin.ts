/** Scheme, host and port of a callback URL, in stored form. */
import * as Schema from "effect/Schema"
import { isStorableText } from "../../shared/json/JsonText.ts"
import { callbackUrlLengthMax } from "../../shared/target/TargetRefused.ts"

export const UrlOrigin = Schema.String.check(
  Schema.isMaxCodePoints(callbackUrlLengthMax),
  isStorableText,
  Schema.makeFilter(
    (text) => isOrigin(text) || "must be the origin of a URL, such as https://hooks.example.com",
    { toJsonSchema: () => ({ format: "uri", pattern: "^https?://[^/?#@]+$" }) }
  )
)

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.origin === text
}

/** Scheme, host and port of callback URLs, in the form that they are stored in. */
import * as Schema from "effect/Schema"
import { isStorableText } from "../json/JsonText.ts"
import { callbackUrlLengthMax } from "../target/TargetRefused.ts"

export const UrlOrigin = Schema.String.check(
  Schema.isMaxCodePoints(callbackUrlLengthMax),
  isStorableText,
  Schema.makeFilter(
    (text) => isOrigin(text) || "must be the origin of a URL, such as https://hooks.example.com"
  )
)

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.origin === text
}

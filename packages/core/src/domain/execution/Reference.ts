/** The caller's own name for an execution. */
import * as Schema from "effect/Schema"
import { isStorableText } from "../json/JsonText.ts"

/** Longest reference in code points. */
export const referenceLengthMax = 255

export const Reference = Schema.String.check(
  Schema.isBetweenCodePoints(1, referenceLengthMax),
  isStorableText
)

/** Text on one line, such as a name: nothing in it breaks, hides or reverses the text around it. */
import * as Schema from "effect/Schema"

/**
 * Control characters, the line and paragraph separators, and what turns the
 * direction of writing. Spelt out, since some validators of the OpenAPI document do
 * not know classes such as \p{Cc}.
 */
const strange = String.raw`\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069`

/** Refuses text that is more than one line, or not what it looks like. */
export const isOneLine = Schema.isPattern(new RegExp(`^[^${strange}]*$`, "u"), {
  expected: "one line without control characters"
})

/** The same, and refuses text that is blank, or differs from another only by spaces around it. */
export const isTrimmedLine = Schema.isPattern(
  new RegExp(`^[^${strange}\\s](?:[^${strange}]*[^${strange}\\s])?$`, "u"),
  { expected: "one line without control characters, and without spaces around it" }
)

const runs = new RegExp(`[${strange}\\s]+`, "gu")

/** The text on one line: whatever does not belong there becomes a space. */
export const onOneLine = (text: string): string => text.replaceAll(runs, " ").trim()

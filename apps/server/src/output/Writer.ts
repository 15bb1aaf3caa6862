/**
 * Writes what commands print. Much of it was made by others, so that none of it may speak
 * to the terminal: a control character, or one that turns the direction of writing, is
 * written as `\uXXXX`, which JSON and TypeScript read as the same character.
 */
import * as Console from "effect/Console"

/** All but the end of a line and a tab, which texts of several lines are made of. */
const strange = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu

/** The text with every such character written out. */
export const visible = (text: string): string =>
  text.replaceAll(strange, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The same for a value within a line: it has no line ends of its own. */
export const visibleLine = (text: string): string => visible(text.replaceAll(/\s+/g, " "))

export const print = (text: string) => Console.log(visible(text))

export const printError = (text: string) => Console.error(visible(text))

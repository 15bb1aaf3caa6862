/** The `Content-Disposition` header: whether a browser shows a file or saves it, and under which name (RFC 6266). */

/** `inline` shows the file in the browser, `attachment` saves it. */
export type Disposition = "inline" | "attachment"

/**
 * The header's value for a file name of any characters. A name beyond plain ASCII
 * is given twice: in full as `filename*`, which every current browser prefers, and
 * as an ASCII likeness for the others.
 */
export const contentDisposition = (disposition: Disposition, fileName: string): string => {
  const likeness = fileName.replace(unsafe, "_")
  const plain = `${disposition}; filename="${likeness}"`
  return likeness === fileName ? plain : `${plain}; filename*=UTF-8''${percentEncode(fileName)}`
}

/**
 * What a quoted ASCII name must not contain. Some browsers decode `%` there, and
 * treat `\` in their own ways.
 */
const unsafe = /[^\x20-\x7E]|["%\\]/gu

/** RFC 8187 reserves four characters that `encodeURIComponent` leaves alone. A lone surrogate, which it refuses, becomes U+FFFD. */
const percentEncode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )

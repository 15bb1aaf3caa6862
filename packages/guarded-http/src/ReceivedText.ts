/** Turns what a stranger sent into text that any store can keep. */

const decoder = () => new TextDecoder("utf-8", { ignoreBOM: true })

/** For complete texts: it keeps no state after them. */
const wholeDecoder = decoder()

/** Reads bytes as UTF-8. Invalid ones, and NUL, which PostgreSQL refuses, become U+FFFD. */
export const textOf = (bytes: Uint8Array, { isTruncated }: { readonly isTruncated: boolean }): string => {
  if (bytes.length === 0) return ""
  // A character that was cut in two is left out.
  const text = isTruncated ? decoder().decode(bytes, { stream: true }) : wholeDecoder.decode(bytes)
  return text.replaceAll("\0", "\uFFFD")
}

/** Turns what a stranger sent into text that any store can keep. */

const decoder = () => new TextDecoder("utf-8", { ignoreBOM: true })

/** For texts that are whole: after them it remembers nothing. */
const wholeDecoder = decoder()

/** Reads bytes as UTF-8. Whatever is not, and NUL, which PostgreSQL refuses, becomes U+FFFD. */
export const textOf = (bytes: Uint8Array, { isTruncated }: { readonly isTruncated: boolean }): string => {
  if (bytes.length === 0) return ""
  // A character that the cut went through is left out.
  const text = isTruncated ? decoder().decode(bytes, { stream: true }) : wholeDecoder.decode(bytes)
  return text.replaceAll("\0", "\uFFFD")
}

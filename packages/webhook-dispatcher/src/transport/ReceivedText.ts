/** Turns what a stranger sent into text that any store can keep. */

/** Reads bytes as UTF-8. Whatever is not, and NUL, which PostgreSQL refuses, becomes U+FFFD. */
export const textOf = (bytes: Uint8Array, { isTruncated }: { readonly isTruncated: boolean }): string =>
  new TextDecoder("utf-8", { ignoreBOM: true })
    // A character that the cut went through is left out.
    .decode(bytes, { stream: isTruncated })
    .replaceAll("\0", "\uFFFD")

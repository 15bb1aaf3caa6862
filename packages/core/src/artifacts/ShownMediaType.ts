/**
 * What a browser may show of a stranger's file: bitmap pictures and videos,
 * recognized by their first bytes. What a file says about itself counts for
 * nothing, and anything that may contain a script is saved, not shown.
 */

/** How many bytes identify a file. */
export const beginningBytes = 16

const signatures: ReadonlyArray<{
  readonly type: string
  /** The bytes from `at` on, as text of one character per byte. */
  readonly at: number
  readonly bytes: string
}> = [
  { type: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { type: "image/gif", at: 0, bytes: "GIF87a" },
  { type: "image/gif", at: 0, bytes: "GIF89a" },
  { type: "image/webp", at: 8, bytes: "WEBPVP8" },
  { type: "image/avif", at: 4, bytes: "ftypavif" },
  { type: "video/webm", at: 0, bytes: "\x1aE\xdf\xa3" },
  { type: "video/mp4", at: 4, bytes: "ftypisom" },
  { type: "video/mp4", at: 4, bytes: "ftypiso5" },
  { type: "video/mp4", at: 4, bytes: "ftypmp42" },
  { type: "video/mp4", at: 4, bytes: "ftypavc1" }
]

/** The media type to show a file with this beginning; null if it is to be saved. */
export const shownAs = (beginning: Uint8Array): string | null => {
  const text = String.fromCharCode(...beginning.subarray(0, beginningBytes))
  return signatures.find(({ at, bytes }) => text.startsWith(bytes, at))?.type ?? null
}

/** The media type without its parameters, if files of that type are shown; null if they are saved. */
export const shownType = (contentType: string): string | null => {
  const [essence = ""] = contentType.toLowerCase().split(/ *;/, 1)
  return signatures.find(({ type }) => type === essence)?.type ?? null
}

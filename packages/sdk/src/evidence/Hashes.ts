/** The hashes that evidence states: SHA-256 of bytes, and of JSON in its canonical form. */
import type { Json } from "../wire/Integration.ts"

/** What a caller that hashes large files by itself knows of one. */
export interface HashedFile {
  readonly size_bytes: number
  /** In lower-case hex. */
  readonly sha256: string
}

/** The bytes of a file, or what was found out about them. */
export type FileContent = Uint8Array | ArrayBuffer | Blob | HashedFile

const sha256 = async (bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) =>
    byte.toString(16).padStart(2, "0")
  ).join("")

export const hashed = async (content: FileContent): Promise<HashedFile> => {
  if ("sha256" in content) return content
  const bytes = "arrayBuffer" in content ? await content.arrayBuffer() : new Uint8Array(content)
  return { size_bytes: bytes.byteLength, sha256: await sha256(bytes) }
}

export const sha256OfJson = (value: Json): Promise<string> =>
  sha256(new TextEncoder().encode(canonicalJson(value)))

/** By RFC 8785: keys in the order of their UTF-16 code units, no white space. */
const canonicalJson = (value: Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`
}

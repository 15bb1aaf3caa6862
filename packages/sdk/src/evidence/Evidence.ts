/**
 * `@runhook/sdk/evidence`: verifies evidence of executions, offline, for every runtime with Web Crypto: its signature
 * first, then everything that is shown with it.
 */
import type { EvidenceFile, EvidenceManifest, JsonObject } from "../wire/Integration.ts"
import { type FileContent, hashed, sha256OfJson } from "./Hashes.ts"
import { type EvidenceMismatch, EvidenceRejectedError } from "./Rejected.ts"

export type { FileContent, HashedFile } from "./Hashes.ts"
export { type EvidenceMismatch, EvidenceRejectedError, type EvidenceRejectedReason } from "./Rejected.ts"
export type { EvidenceEvent, EvidenceFile, EvidenceManifest, Json, JsonObject } from "../wire/Integration.ts"

/** What evidence states, once its signature was verified. */
export interface VerifiedEvidence {
  readonly manifest: EvidenceManifest
  /** The files of the execution that were not given, and so were not compared. */
  readonly unchecked: ReadonlyArray<EvidenceFile>
}

interface Shown {
  /** The key set of the service, from `/.well-known/runhook/jwks.json`. What it says is trusted. */
  readonly jwks: { readonly keys: ReadonlyArray<object> }
  /** Files to compare, by their name or id. */
  readonly files?: Readonly<Record<string, FileContent>>
  /** Params to compare, as the API shows them: with `"[secret]"` in place of each secret. */
  readonly params?: JsonObject
  /** A result to compare; null for none. */
  readonly result?: JsonObject | null
}

/**
 * The manifest of genuine evidence. Asks nobody. Rejects with an `EvidenceRejectedError`
 * when no key of the set has signed it, or when something that is given differs from
 * what it states, and then names everything that does.
 *
 * ```ts
 * const { manifest } = await verifyEvidence(evidence, { jwks, files: { "invoice.pdf": bytes } })
 * ```
 */
export const verifyEvidence = async (
  evidence: string,
  { files = {}, jwks, params, result }: Shown
): Promise<VerifiedEvidence> => {
  const manifest = await signedManifest(evidence, jwks)
  const compared = await Promise.all(
    Object.entries(files).map(async ([what, content]) => compareFile(manifest, what, await hashed(content)))
  )
  const mismatches = compared.flatMap((each) => each.mismatches)
  const compareJson = async (what: "params" | "result", given: JsonObject | null | undefined) => {
    if (given === undefined) return
    const found = given === null ? null : await sha256OfJson(given)
    const stated = manifest[`${what}_sha256`]
    if (found !== stated) mismatches.push({ what, problem: "sha256", stated, found })
  }
  await compareJson("params", params)
  await compareJson("result", result)
  if (mismatches.length > 0) throw new EvidenceRejectedError(mismatches)
  const checked = new Set(compared.map(({ id }) => id))
  return { manifest, unchecked: manifest.files.filter(({ id }) => !checked.has(id)) }
}

const compareFile = (
  { files }: EvidenceManifest,
  what: string,
  found: { readonly size_bytes: number; readonly sha256: string }
): { readonly id?: string; readonly mismatches: ReadonlyArray<EvidenceMismatch> } => {
  const byId = files.filter(({ id }) => id === what)
  const named = byId.length > 0 ? byId : files.filter(({ file_name }) => file_name === what)
  const [file] = named
  if (file === undefined || named.length > 1) {
    const problem = file === undefined ? "not_in_evidence" : "ambiguous"
    return { mismatches: [{ what, problem, stated: null, found: null }] }
  }
  const mismatches: Array<EvidenceMismatch> = []
  const compare = <T extends number | string>(problem: "size" | "sha256", stated: T, seen: T) => {
    if (stated !== seen) mismatches.push({ what, problem, stated, found: seen })
  }
  compare("size", file.size_bytes, found.size_bytes)
  compare("sha256", file.sha256, found.sha256)
  return { id: file.id, mismatches }
}

const signedManifest = async (evidence: string, { keys }: Shown["jwks"]): Promise<EvidenceManifest> => {
  const [, head, body, tail] = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/.exec(evidence) ?? []
  if (head === undefined || body === undefined || tail === undefined) {
    throw new EvidenceRejectedError("malformed")
  }
  const header = objectIn(head)
  // What a header calls critical would have to be understood.
  if (header["alg"] !== "EdDSA" || header["typ"] !== "runhook-evidence+jws" || "crit" in header) {
    throw new EvidenceRejectedError("malformed")
  }
  const found = keys.map((key): { readonly [name: string]: unknown } => ({ ...key }))
  const { x } = found.find(({ crv, kid }) => crv === "Ed25519" && kid === header["kid"]) ?? {}
  if (typeof x !== "string") throw new EvidenceRejectedError("unknown_key")
  const jwk = { kty: "OKP", crv: "Ed25519", x }
  const key = await crypto.subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"])
  const signed = new TextEncoder().encode(`${head}.${body}`)
  if (!(await crypto.subtle.verify({ name: "Ed25519" }, key, bytesOf(tail), signed))) {
    throw new EvidenceRejectedError("signature_mismatch")
  }
  const manifest: Partial<EvidenceManifest> = objectIn(body)
  if (manifest.type !== "runhook.execution") throw new EvidenceRejectedError("malformed")
  // The service has signed it, whose promise its fields are.
  return manifest as EvidenceManifest
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"))
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
  // Several texts stand for the same bytes, of which one is right.
  const spelt = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
  if (spelt !== base64url) throw new EvidenceRejectedError("malformed")
  return bytes
}

const objectIn = (base64url: string): { readonly [name: string]: unknown } => {
  try {
    return { ...JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(base64url))) }
  } catch {
    throw new EvidenceRejectedError("malformed")
  }
}

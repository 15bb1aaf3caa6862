/** Why evidence proves nothing, or not what it is shown with. */

export type EvidenceRejectedReason = "malformed" | "unknown_key" | "signature_mismatch" | "content_mismatch"

/** Something that was given is not what the evidence states. */
export interface EvidenceMismatch {
  /** `params`, `result`, or the file by the name or id it was given under. */
  readonly what: string
  /**
   * `not_in_evidence`: the evidence has no such file. `ambiguous`: it has several of that name, so give the file by
   * its id.
   */
  readonly problem: "not_in_evidence" | "ambiguous" | "size" | "sha256"
  /** What the evidence states, as a number of bytes or as hex; null where it states nothing. */
  readonly stated: number | string | null
  /** What was found. */
  readonly found: number | string | null
}

const sentences = {
  malformed: "it is not a compact JWS of an execution's manifest by Ed25519",
  unknown_key: "no key of the set has the id that it names: fetch the set again",
  signature_mismatch: "its signature is not by the key that it names"
}

const sentenceOf = ({ found, problem, stated, what }: EvidenceMismatch): string => {
  if (problem === "not_in_evidence") return `it has no file ${what}`
  if (problem === "ambiguous") return `it has several files ${what}: give them by their ids`
  return `${problem} of ${what} is ${found}, and the evidence states ${stated}`
}

/** Evidence that must not be trusted, or that is of something else than what was given with it. */
export class EvidenceRejectedError extends Error {
  override readonly name = "EvidenceRejectedError"
  readonly reason: EvidenceRejectedReason
  /** Everything that does not match, if the signature itself is genuine. */
  readonly mismatches: ReadonlyArray<EvidenceMismatch>

  constructor(reason: Exclude<EvidenceRejectedReason, "content_mismatch"> | ReadonlyArray<EvidenceMismatch>) {
    const mismatches = typeof reason === "string" ? [] : reason
    const said = typeof reason === "string" ? sentences[reason] : mismatches.map(sentenceOf).join("; ")
    super(`The evidence was rejected: ${said}`)
    this.reason = typeof reason === "string" ? reason : "content_mismatch"
    this.mismatches = mismatches
  }
}

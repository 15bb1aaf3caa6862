/** What every verifier of evidence must reject, of whatever language. */
import { sign as signBytes } from "node:crypto"
import { type EvidenceSigner, sign, signerFrom } from "@runhook/core/signing/EvidenceSigner"
import type { EvidenceRejectedReason } from "../../src/evidence/Evidence.ts"
import { evidence, manifest, other, signer } from "./Signed.ts"

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Signed by the key of the service, whatever its parts say. */
const signed = (head: string, body: string, { privateKey }: EvidenceSigner = signer) =>
  `${head}.${body}.${signBytes(null, Buffer.from(`${head}.${body}`), privateKey).toString("base64url")}`

const header = { alg: "EdDSA", kid: signer.kid, typ: "runhook-evidence+jws" }

const [head = "", body = "", tail = ""] = evidence.split(".")

/** The same bytes, in another spelling: the last digit has bits that no byte has. */
const respelt = (text: string) => {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  return text.slice(0, -1) + digits[digits.indexOf(text.slice(-1)) + 1]
}

interface Forged {
  readonly name: string
  readonly reason: EvidenceRejectedReason
  readonly text: string
}

export const forged: ReadonlyArray<Forged> = [
  { name: "is no JWS", reason: "malformed", text: "a.b" },
  { name: "has a part too many", reason: "malformed", text: `${evidence}.a` },
  { name: "is not JSON", reason: "malformed", text: `AAAA.${part(manifest)}.${"A".repeat(86)}` },
  {
    name: "is signed by nobody",
    reason: "malformed",
    text: `${part({ ...header, alg: "none" })}.${part(manifest)}.${"A".repeat(86)}`
  },
  {
    name: "is of another algorithm",
    reason: "malformed",
    text: signed(part({ ...header, alg: "HS256" }), part(manifest))
  },
  {
    name: "is of another kind",
    reason: "malformed",
    text: signed(part({ ...header, typ: "JWT" }), part(manifest))
  },
  ...[["exp"], [], null, "exp"].map((crit): Forged => ({
    name: `calls ${JSON.stringify(crit)} critical`,
    reason: "malformed",
    text: signed(part({ ...header, crit }), part(manifest))
  })),
  ...["another", null, 1, ["runhook.execution"]].map((type): Forged => ({
    name: `is of ${JSON.stringify(type)}`,
    reason: "malformed",
    text: sign(signer, { ...manifest, type })
  })),
  { name: "states a list", reason: "malformed", text: sign(signer, [manifest.type]) },
  {
    name: "spells its signature in another way",
    reason: "malformed",
    text: `${head}.${body}.${respelt(tail)}`
  },
  {
    name: "is signed by a key that is not in the set",
    reason: "unknown_key",
    text: sign(signerFrom(new Uint8Array(32)), manifest)
  },
  {
    name: "claims the key of another",
    reason: "signature_mismatch",
    text: sign({ ...other, kid: signer.kid }, manifest)
  },
  {
    name: "states something else than was signed",
    reason: "signature_mismatch",
    text: `${head}.${part({ ...manifest, status: "error" })}.${tail}`
  }
]

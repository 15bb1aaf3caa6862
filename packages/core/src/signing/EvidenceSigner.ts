/** Signs evidence: compact JSON Web Signatures by Ed25519 keys, one for each secret key. */
import { createPrivateKey, createPublicKey, hash, sign as signBytes, type KeyObject } from "node:crypto"
import * as Base64Url from "effect/encoding/Base64Url"
import type { EvidenceKey } from "../evidence/EvidenceKey.ts"
import type { Json } from "../shared/json/Json.ts"
import { canonicalJson } from "../shared/json/JsonText.ts"

export interface EvidenceSigner extends EvidenceKey {
  readonly privateKey: KeyObject
}

/** What comes before the 32 bytes of a key in PKCS #8. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex")

/** The signer whose private key is made of 32 bytes. */
export const signerFrom = (seed: Uint8Array): EvidenceSigner => {
  const key = Buffer.concat([pkcs8, seed])
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" })
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" })
  return { kid: thumbprint(x), x, privateKey }
}

/** After RFC 7638. */
const thumbprint = (x: string): string =>
  hash("sha256", canonicalJson({ crv: "Ed25519", kty: "OKP", x }), "base64url")

export const sign = ({ kid, privateKey }: EvidenceSigner, payload: Json): string => {
  const header = { alg: "EdDSA", kid, typ: "runhook-evidence+jws" }
  const content = `${encode(header)}.${encode(payload)}`
  return `${content}.${signBytes(null, Buffer.from(content), privateKey).toString("base64url")}`
}

const encode = (value: Json): string => Base64Url.encode(JSON.stringify(value))

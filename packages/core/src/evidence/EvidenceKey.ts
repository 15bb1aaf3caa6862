/** The public halves of the keys that sign evidence. They are kept for good, so that evidence can be verified for good. */
import * as Schema from "effect/Schema"

/** Where the key set is, under the base URL. */
export const keySetPath = "/.well-known/runhook/jwks.json"

export const EvidenceKey = Schema.Struct({
  /** Its thumbprint after RFC 7638, which evidence names. */
  kid: Schema.String,
  /** The Ed25519 public key, 32 bytes in base64url. */
  x: Schema.String
})
export type EvidenceKey = typeof EvidenceKey.Type

/** A JSON Web Key after RFC 8037. */
export const jwkOf = ({ kid, x }: EvidenceKey) =>
  ({ kty: "OKP", crv: "Ed25519", use: "sig", alg: "EdDSA", kid, x }) as const

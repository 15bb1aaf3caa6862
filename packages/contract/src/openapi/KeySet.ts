/** Where the public keys are that verify evidence. It is not among the definitions: it lies outside of the API, for anyone. */
import { keySetPath } from "@runhook/core/evidence/EvidenceKey"
import { type Part, partOf } from "./Document.ts"
import { refusal } from "./answers/OneError.ts"
import { failures, methodNotAllowed } from "./answers/Refusals.ts"

const tag = { name: "keys", description: "Public keys." }

/** A JSON Web Key after RFC 8037. */
const key = {
  type: "object",
  required: ["kty", "crv", "use", "alg", "kid", "x"],
  properties: {
    kty: { type: "string", enum: ["OKP"] },
    crv: { type: "string", enum: ["Ed25519"] },
    use: { type: "string", enum: ["sig"] },
    alg: { type: "string", enum: ["EdDSA"] },
    kid: { type: "string", description: "Its thumbprint after RFC 7638, which evidence names." },
    x: { type: "string", description: "The public key, 32 bytes in base64url." }
  },
  additionalProperties: false
}

const example = {
  keys: [
    {
      kty: "OKP",
      crv: "Ed25519",
      use: "sig",
      alg: "EdDSA",
      kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    }
  ]
}

const operation = {
  tags: [tag.name],
  operationId: "keys.get",
  summary: "Public keys of evidence",
  description:
    "The keys that verify evidence, as a JSON Web Key Set. Earlier keys stay in it for good. It may be cached for five minutes. This call needs no key.",
  security: [],
  responses: {
    "200": {
      description: "All keys that have signed evidence, and the one that does.",
      content: {
        "application/jwk-set+json": {
          schema: {
            type: "object",
            required: ["keys"],
            properties: { keys: { type: "array", items: key } },
            additionalProperties: false
          },
          example
        }
      }
    },
    "400": refusal("A query parameter that it does not have"),
    ...methodNotAllowed,
    ...failures
  }
}

/** Adds the path. */
export const describeKeySet = (document: Part): Part => ({
  ...document,
  tags: [...(Array.isArray(document["tags"]) ? document["tags"] : []), tag],
  paths: { ...partOf(document["paths"]), [keySetPath]: { get: operation } }
})

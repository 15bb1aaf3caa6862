/**
 * Seals what must be readable again, but not by someone who reads the database:
 * AES-256-GCM, bound to the row it belongs to, so a sealed text that is moved to
 * another row does not open.
 */
import { createCipheriv, createDecipheriv } from "node:crypto"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Keys, KeyRing } from "./KeyRing.ts"

const algorithm = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16

/** The row that a sealed text belongs to. */
export interface SealedFor {
  /** What the secret is for, such as `signing-secret`. */
  readonly purpose: string
  readonly id: string
}

/**
 * The sealed text cannot be opened: its key is not on the ring, the text was
 * changed, or it belongs to another row.
 */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", {
  reason: Schema.Literals(["malformed", "unknown_key", "not_authentic"]),
  purpose: Schema.String,
  id: Schema.String
}) {
  override get message() {
    return `The ${this.purpose} of ${this.id} cannot be opened: ${explanations[this.reason]}`
  }
}

const explanations = {
  malformed: "it is not a sealed text",
  unknown_key: "it was sealed under a secret key that is not configured",
  not_authentic: "it was changed, or sealed for something else"
}

/** The beginning of every text sealed under these keys, and of no other. */
export const sealPrefix = ({ id }: Keys): string => `v1.${id}.`

export const isSealedUnder = (keys: Keys, sealed: string): boolean => sealed.startsWith(sealPrefix(keys))

/** Seals a text under the newest key: `v1.<key id>.<nonce, ciphertext and tag in base64url>`. */
export const seal = Effect.fnUntraced(function* (ring: KeyRing, row: SealedFor, text: string) {
  const nonce = yield* (yield* SecureRandom).randomBytes(nonceBytes)
  const [keys] = ring
  const cipher = createCipheriv(algorithm, keys.sealing, nonce).setAAD(binding(keys, row))
  const content = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return sealPrefix(keys) + content.toString("base64url")
})

/** Opens a sealed text with the key of the ring that it names. */
export const open = (ring: KeyRing, row: SealedFor, sealed: string): Result.Result<string, SealBroken> => {
  const broken = (reason: SealBroken["reason"]) => new SealBroken({ ...row, reason })
  const [, id, content] = shape.exec(sealed) ?? []
  if (id === undefined || content === undefined) return Result.fail(broken("malformed"))
  const keys = ring.find((each) => each.id === id)
  if (keys === undefined) return Result.fail(broken("unknown_key"))
  return Result.try({
    try: () => decrypt(keys, row, Buffer.from(content, "base64url")),
    catch: () => broken("not_authentic")
  })
}

const shape = /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{38,})$/

const decrypt = (keys: Keys, row: SealedFor, content: Buffer): string => {
  const decipher = createDecipheriv(algorithm, keys.sealing, content.subarray(0, nonceBytes))
    .setAAD(binding(keys, row))
    .setAuthTag(content.subarray(-tagBytes))
  const text = decipher.update(content.subarray(nonceBytes, -tagBytes), undefined, "utf8")
  return text + decipher.final("utf8")
}

/** What the tag authenticates besides the text. */
const binding = ({ id }: Keys, row: SealedFor) => Buffer.from(JSON.stringify(["v1", id, row.purpose, row.id]))

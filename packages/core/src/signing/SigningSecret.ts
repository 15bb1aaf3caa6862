/** Webhook signing secrets: `whsec_` and the base64 of 32 bytes. */
import { createSecretKey, type KeyObject } from "node:crypto"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Key from "./Base64Key.ts"

const marker = "whsec_"

/** The two keys that one secret stands for, ready to sign with. */
export interface SigningKeys {
  /** The bytes of the whole text, marker included: signs `X-Webhook-Signature`. */
  readonly whole: KeyObject
  /** The 32 decoded bytes: signs the header of Standard Webhooks. */
  readonly decoded: KeyObject
}

/** The text is not a signing secret. */
export class SigningSecretInvalid extends Schema.TaggedError<SigningSecretInvalid>()(
  "SigningSecretInvalid",
  {}
) {
  override get message() {
    return `A signing secret is "${marker}" followed by the base64 of 32 bytes`
  }
}

/** A new secret, as it is shown once. */
export const generate: Effect.Effect<string, never, SecureRandom> = Effect.map(
  Base64Key.generate,
  (key) => marker + key
)

/** Reads a secret. Keep the result while many events are signed with it. */
export const parse = (text: string): Result.Result<SigningKeys, SigningSecretInvalid> => {
  const decoded = text.startsWith(marker) ? Base64Key.decode(text.slice(marker.length)) : Option.none()
  return Option.match(decoded, {
    onNone: () => Result.fail(new SigningSecretInvalid({})),
    onSome: (bytes) =>
      Result.succeed({ whole: createSecretKey(text, "utf8"), decoded: createSecretKey(bytes) })
  })
}

/** Tokens that are valid by themselves: 256 random bits, of which only a hash under the pepper is kept. */
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"

/** A new token, in 43 characters that any URL or cookie may hold. */
export const generate: Effect.Effect<string, never, SecureRandom> = Effect.flatMap(SecureRandom, (random) =>
  Effect.map(random.randomBytes(32), Base64Url.encode)
)

/** Whether a text may be a token; no store is asked for any other. */
export const isToken = (text: string): boolean => shape.test(text)

const shape = /^[A-Za-z0-9_-]{43}$/

/** Keys in the form people copy: 32 random bytes in base64. */
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

// The last character before the padding holds four bits, so it is one of sixteen.
const shape = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

export const generate: Effect.Effect<string, never, SecureRandom> = Effect.flatMap(SecureRandom, (random) =>
  Effect.map(random.randomBytes(32), Base64.encode)
)

/** The 32 bytes; none if the text is not their one spelling. */
export const decode = (text: string): Option.Option<Uint8Array> =>
  shape.test(text) ? Result.getSuccess(Base64.decode(text)) : Option.none()

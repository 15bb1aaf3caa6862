/** Makes the correlation ids of requests: `req_` and 20 characters, 100 random bits. */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const length = 20

/** 32 of the 36 letters and digits, so that five bits of a byte choose one evenly. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const spell = (text: string, byte: number): string => text + alphabet.charAt(byte % alphabet.length)

export class RequestIds extends Context.Service<RequestIds>()("@runhook/http/pipeline/RequestIds", {
  make: Effect.map(SecureRandom, (random) => ({
    next: Effect.map(random.randomBytes(length), (bytes) => `req_${bytes.reduce(spell, "")}`)
  }))
}) {
  static readonly layer = Layer.effect(RequestIds, RequestIds.make)
}

/** Makes the correlation ids of requests: `req_` and 20 characters, 100 bits of chance. */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const length = 20

/** How many ids one draw of random bytes is good for: a draw per request would cost more than the id. */
const idsPerDraw = 128

/** 32 of the 36 letters and digits, so that five bits of a byte choose one evenly. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

export class RequestIds extends Context.Service<
  RequestIds,
  {
    readonly next: Effect.Effect<string>
  }
>()("@runhook/http/RequestIds") {
  static readonly layer = Layer.effect(
    RequestIds,
    Effect.gen(function* () {
      const random = yield* SecureRandom
      let pool: Uint8Array = new Uint8Array(0)
      let used = 0

      const draw = Effect.map(random.randomBytes(length * idsPerDraw), (bytes) => {
        pool = bytes
        used = 0
      })
      const take = Effect.sync(() => `req_${pool.subarray(used, (used += length)).reduce(spell, "")}`)

      return RequestIds.of({
        next: Effect.suspend(() => (used < pool.length ? take : Effect.andThen(draw, take)))
      })
    })
  )
}

const spell = (text: string, byte: number): string => text + alphabet.charAt(byte % alphabet.length)

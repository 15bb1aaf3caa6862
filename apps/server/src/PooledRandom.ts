/**
 * Secure random bytes, drawn from the system in advance: an id needs sixteen, and a
 * call for each would cost more than the id.
 */
import { randomFillSync } from "node:crypto"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"

const poolSize = 4_096

/** Hands out every byte once; the pool forgets what it has handed out. */
const makePool = () => {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  return (size: number): Uint8Array => {
    if (size > poolSize) return randomFillSync(new Uint8Array(size))
    if (used + size > poolSize) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + size)
    pool.fill(0, used, (used += size))
    return bytes
  }
}

export const layer = Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(makePool()))

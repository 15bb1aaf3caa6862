/**
 * Checks presented keys against hashes, and remembers the hash of a key that
 * matched: to compute it again takes longer than anything else that is asked about
 * a caller. Whether the hash still opens anything is its record's to say, each time.
 */
import { BoundedMap } from "../runtime/BoundedMap.ts"
import { hash, matches, type PepperKey } from "./ApiKey.ts"
import * as Token from "./Token.ts"

/** Keys whose hashes are remembered; past that the oldest are forgotten. */
export const openedMax = 10_000

/** Whether a presented key has one of the hashes. */
export type Opens = (key: string, hashes: ReadonlyArray<string>) => boolean

export const makeOpens = (pepper: PepperKey): Opens => {
  // Found by a hash under a secret of its own, so that no key is kept.
  const secret = hash(pepper, "the keys that opened something")
  const hashOf = new BoundedMap<string, string>(openedMax)
  return (key, hashes) => {
    const mark = Token.hash(secret + key)
    const known = hashOf.get(mark)
    // A caller found here has shown the key before, so the time of the comparison tells it nothing new.
    if (known !== undefined) return hashes.includes(known)
    const matching = hashes.find((each) => matches({ pepper, key, hash: each }))
    if (matching !== undefined) hashOf.set(mark, matching)
    return matching !== undefined
  }
}

/** Comparison that takes as long for a near miss as for a wild guess. */
import { timingSafeEqual } from "node:crypto"

/** Whether two texts are equal. Only their lengths show in the time it takes. */
export const isEqualInConstantTime = (one: string, other: string): boolean => {
  const [bytes, otherBytes] = [encoder.encode(one), encoder.encode(other)]
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}

const encoder = new TextEncoder()

/** What stores are asked for while it is looked at what their statements touch. */
import type { Stores } from "@runhook/store-testing/Fixtures"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type * as Effect from "effect/Effect"

export type Asked = Effect.Effect<unknown, unknown, SecureRandom | Stores>

export interface Verb {
  readonly name: string
  /** For how many rows it asks. */
  readonly rows: number
  readonly run: Asked
}

export const verb = (name: string, rows: number, run: Asked): Verb => ({ name, rows, run })

/** Whatever it touches, since no service does it. */
export const prepared = (run: Asked): Verb => ({ name: "what comes before", rows: Infinity, run })

/** So many are moved, taken, settled or listed at once. */
export const together = 50
export const many = Array.from({ length: together }, (_, place) => place)

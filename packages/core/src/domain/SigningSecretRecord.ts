/** The webhook signing secrets of a key, and which of them sign at a moment. */
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Array from "effect/Array"
import { ApiKeyId, SigningSecretId } from "./Ids.ts"

export const SigningSecretRecord = Schema.Struct({
  id: SigningSecretId,
  apiKeyId: ApiKeyId,
  /** Sealed with AES-256-GCM under the service's key ring. */
  ciphertext: Schema.String,
  /** From then on it is the one that signs the specified header. */
  activeAt: Schema.DateTimeUtc,
  /** From then on it signs nothing; null while no newer one replaces it. */
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc
})
export type SigningSecretRecord = typeof SigningSecretRecord.Type

const newestFirst = Order.mapInput(
  Order.flip(DateTime.Order),
  (secret: SigningSecretRecord) => secret.activeAt
)

/** The secrets that sign at `at`, the active one first. A staged one signs beside it before it becomes active. */
export const signersAt = (
  secrets: ReadonlyArray<SigningSecretRecord>,
  at: DateTime.Utc
): ReadonlyArray<SigningSecretRecord> => {
  const living = secrets.filter(
    ({ expiresAt }) => expiresAt === null || DateTime.isGreaterThan(expiresAt, at)
  )
  const [staged, begun] = [
    living.filter(({ activeAt }) => DateTime.isGreaterThan(activeAt, at)),
    living.filter(({ activeAt }) => DateTime.isLessThanOrEqualTo(activeAt, at))
  ]
  return [...Array.sort(begun, newestFirst), ...staged]
}

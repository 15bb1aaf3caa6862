/** The webhook signing secrets of a key, and which of them sign at a given moment. */
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { ApiKeyId, SigningSecretId } from "../shared/Ids.ts"

export const SigningSecretRecord = Schema.Struct({
  id: SigningSecretId,
  apiKeyId: ApiKeyId,
  /** Sealed with AES-256-GCM under the service's key ring. */
  ciphertext: Schema.String,
  /** From then on it signs the specified header. */
  activeAt: Schema.DateTimeUtc,
  /** From then on it signs nothing; null until a newer one replaces it. */
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc
})
export type SigningSecretRecord = typeof SigningSecretRecord.Type

const newestFirst = Order.mapInput(
  Order.flip(DateTime.Order),
  (secret: SigningSecretRecord) => secret.activeAt
)

/** Whether the secret signs anything at `at` or later. */
export const isLiving = ({ expiresAt }: SigningSecretRecord, at: DateTime.Utc): boolean =>
  expiresAt === null || DateTime.isGreaterThan(expiresAt, at)

/** `active`: signs the specified header. `staged`: will. `previous`: signs beside the active one. */
export const SigningSecretState = Schema.Literals(["active", "staged", "previous"])
export type SigningSecretState = typeof SigningSecretState.Type

/** The state of a secret that signs at `at`, among those of its key. */
export const stateOf = (
  secret: SigningSecretRecord,
  secrets: ReadonlyArray<SigningSecretRecord>,
  at: DateTime.Utc
): SigningSecretState => {
  if (DateTime.isGreaterThan(secret.activeAt, at)) return "staged"
  return signersAt(secrets, at)[0]?.id === secret.id ? "active" : "previous"
}

/** The secrets that sign at `at`, the active one first. A staged one signs beside it before it becomes active. */
export const signersAt = (
  secrets: ReadonlyArray<SigningSecretRecord>,
  at: DateTime.Utc
): ReadonlyArray<SigningSecretRecord> => {
  const living = secrets.filter((secret) => isLiving(secret, at))
  const [staged, begun] = [
    living.filter(({ activeAt }) => DateTime.isGreaterThan(activeAt, at)),
    living.filter(({ activeAt }) => DateTime.isLessThanOrEqualTo(activeAt, at))
  ]
  return [...Array.sort(begun, newestFirst), ...staged]
}

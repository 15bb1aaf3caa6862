/**
 * The opened signing secrets of API keys. A few keys send many events, so opened
 * secrets are cached for a moment.
 */
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Delivery } from "../domain/delivery/Delivery.ts"
import { ApiKeyId } from "../domain/Ids.ts"
import { signersAt, type SigningSecretRecord } from "../domain/keys/SigningSecretRecord.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"
import { Signals } from "../ports/Signals.ts"
import { ServiceKeys } from "../Settings.ts"
import { open, type SealBroken } from "../signing/SecretBox.ts"
import * as SigningSecret from "../signing/SigningSecret.ts"
import { signingSecretPurpose } from "../usecases/ApiKeys.ts"
import { makeLookupCache } from "./LookupCache.ts"

/** No secret can sign for this key, now or later. */
export class SigningSecretMissing extends Schema.TaggedError<SigningSecretMissing>()("SigningSecretMissing", {
  apiKeyId: ApiKeyId
}) {
  override get message() {
    return `The key ${this.apiKeyId} has no signing secret`
  }
}

/** How many keys' secrets are cached. A rotation whose signal is lost takes effect as late as the cache allows. */
const keptMax = 1_000

export const make = Effect.gen(function* () {
  const ring = yield* ServiceKeys
  const store = yield* ApiKeyStore

  const find = ({ accountId, apiKeyId }: Owner, at: DateTime.Utc) =>
    store
      .signingSecrets({ accountId, id: apiKeyId, at })
      .pipe(Effect.catchTag("ApiKeyNotFound", () => Effect.succeed<ReadonlyArray<SigningSecretRecord>>([])))

  const secrets = makeLookupCache({
    lookup: (owner: Owner) => Effect.flatMap(DateTime.now, (at) => find(owner, at)),
    isKept: () => true,
    keptMax
  })

  // Subscribed before anything else can run in a process that rotates a secret, since a woken listener runs at
  // once.
  const rotated = yield* (yield* Signals).subscribe(["signing_secrets"])
  yield* Effect.andThen(rotated, secrets.forget).pipe(
    Effect.forever({ disableYield: true }),
    Effect.forkScoped({ startImmediately: true })
  )

  /** Opened for as long as it is cached: a secret that is read again is another record, and is opened again. */
  const opened = new WeakMap<SigningSecretRecord, OpenedSecret>()

  const keysOf = (secret: SigningSecretRecord): OpenedSecret => {
    const known = opened.get(secret)
    if (known !== undefined) return known
    const { ciphertext, id } = secret
    const keys = open(ring, { purpose: signingSecretPurpose, id }, ciphertext).pipe(
      Result.flatMap(SigningSecret.parse)
    )
    opened.set(secret, keys)
    return keys
  }

  /**
   * The keys that sign for a delivery now, the one of the specified header first. A
   * key whose secrets have all ended still signs with its newest: a promised event is
   * delivered, and never unsigned.
   */
  return Effect.fnUntraced(function* ({ accountId, apiKeyId, createdAt }: Delivery, at: DateTime.Utc) {
    const owner = { accountId, apiKeyId }
    const signers = signersAt(yield* secrets.get(owner), at)
    const chosen = signers.length > 0 ? signers : newestOf(yield* find(owner, createdAt))
    const keys = yield* Effect.fromResult(Result.all(chosen.map(keysOf)))
    return Arr.isReadonlyArrayNonEmpty(keys) ? keys : yield* new SigningSecretMissing({ apiKeyId })
  })
})

type Owner = Pick<Delivery, "accountId" | "apiKeyId">

type OpenedSecret = Result.Result<SigningSecret.SigningKeys, SealBroken | SigningSecret.SigningSecretInvalid>

const byActivation = Order.mapInput(DateTime.Order, ({ activeAt }: SigningSecretRecord) => activeAt)

const newestOf = (secrets: ReadonlyArray<SigningSecretRecord>): ReadonlyArray<SigningSecretRecord> =>
  Arr.sort(secrets, byActivation).slice(-1)

/**
 * The opened signing secrets of API keys and of endpoints. A few of them send many events, so opened secrets are
 * cached for a moment.
 */
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Delivery } from "../deliveries/Delivery.ts"
import { ApiKeyId, EndpointId } from "../shared/Ids.ts"
import { signersAt, type SigningSecretRecord } from "./SigningSecretRecord.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { EndpointStore } from "../endpoints/EndpointStore.ts"
import { Signals } from "../signals/Signals.ts"
import { ServiceKeys } from "../Settings.ts"
import { open, type SealBroken } from "../signing/SecretBox.ts"
import * as SigningSecret from "../signing/SigningSecret.ts"
import { signingSecretPurpose } from "./ApiKeys.ts"
import { makeLookupCache } from "../engine/LookupCache.ts"

/** No secret can sign for this key, now or later. */
export class SigningSecretMissing extends Schema.TaggedError<SigningSecretMissing>()("SigningSecretMissing", {
  apiKeyId: Schema.NullOr(ApiKeyId)
}) {
  override get message() {
    return `The key ${this.apiKeyId} has no signing secret`
  }
}

/** The endpoint that a delivery was for is no longer there. */
export class EndpointGone extends Schema.TaggedError<EndpointGone>()("EndpointGone", { id: EndpointId }) {
  override get message() {
    return "The endpoint was removed"
  }
}

/** Seals the signing secrets of endpoints. */
export const endpointSecretPurpose = "endpoint"

/** How many keys' secrets are cached. A rotation whose signal is lost takes effect as late as the cache allows. */
const keptMax = 1_000

export const make = Effect.gen(function* () {
  const ring = yield* ServiceKeys
  const store = yield* ApiKeyStore
  const endpoints = yield* EndpointStore

  const find = ({ accountId, apiKeyId }: Owner, at: DateTime.Utc) =>
    apiKeyId === null
      ? Effect.succeed<ReadonlyArray<SigningSecretRecord>>([])
      : store
          .signingSecrets({ accountId, id: apiKeyId, at })
          .pipe(
            Effect.catchTag("ApiKeyNotFound", () => Effect.succeed<ReadonlyArray<SigningSecretRecord>>([]))
          )

  const ofEndpoints = makeLookupCache({
    lookup: ({ accountId, id }: { readonly accountId: Delivery["accountId"]; readonly id: EndpointId }) =>
      endpoints.get({ accountId, apiKeyId: null, id }).pipe(
        Effect.map((found): ReadonlyArray<Sealed & Pick<SigningSecretRecord, "expiresAt">> => {
          const { ciphertext, previousCiphertext, previousExpiresAt: expiresAt } = found
          const sealed = { id, purpose: endpointSecretPurpose }
          const now = { ...sealed, ciphertext, expiresAt: null }
          return previousCiphertext === null
            ? [now]
            : [now, { ...sealed, ciphertext: previousCiphertext, expiresAt }]
        }),
        Effect.catchTag("EndpointNotFound", () => Effect.succeed(null))
      ),
    isKept: () => true,
    keptMax
  })

  const secrets = makeLookupCache({
    lookup: (owner: Owner) => Effect.flatMap(DateTime.now, (at) => find(owner, at)),
    isKept: () => true,
    keptMax
  })

  // Subscribed before anything else can run in a process that rotates a secret, since a woken listener runs at
  // once.
  const rotated = yield* (yield* Signals).subscribe(["signing_secrets"])
  yield* Effect.andThen(rotated, Effect.andThen(secrets.forget, ofEndpoints.forget)).pipe(
    Effect.forever({ disableYield: true }),
    Effect.forkScoped({ startImmediately: true })
  )

  /** Opened for as long as it is cached: a secret that is read again is another record, and is opened again. */
  const opened = new WeakMap<Sealed, OpenedSecret>()

  const keysOf = (secret: Sealed): OpenedSecret => {
    const known = opened.get(secret)
    if (known !== undefined) return known
    const { ciphertext, id, purpose = signingSecretPurpose } = secret
    const keys = open(ring, { purpose, id }, ciphertext).pipe(Result.flatMap(SigningSecret.parse))
    opened.set(secret, keys)
    return keys
  }

  const ofKey = Effect.fnUntraced(function* ({ accountId, apiKeyId, createdAt }: Delivery, at: DateTime.Utc) {
    const owner = { accountId, apiKeyId }
    const signers = signersAt(yield* secrets.get(owner), at)
    return signers.length > 0 ? signers : newestOf(yield* find(owner, createdAt))
  })

  const ofEndpoint = Effect.fnUntraced(function* ({ accountId }: Delivery, id: EndpointId, at: DateTime.Utc) {
    const sealed = yield* ofEndpoints.get({ accountId, id })
    if (sealed === null) return yield* new EndpointGone({ id })
    return sealed.filter(({ expiresAt }) => expiresAt === null || DateTime.isGreaterThan(expiresAt, at))
  })

  /**
   * The keys that sign for a delivery now, the one of the specified header first. A
   * key whose secrets have all ended still signs with its newest: a promised event is
   * delivered, and never unsigned.
   */
  return Effect.fnUntraced(function* (delivery: Delivery, at: DateTime.Utc) {
    const { apiKeyId, endpointId } = delivery
    const chosen = yield* endpointId === null ? ofKey(delivery, at) : ofEndpoint(delivery, endpointId, at)
    const keys = yield* Effect.fromResult(Result.all(chosen.map(keysOf)))
    return Arr.isReadonlyArrayNonEmpty(keys) ? keys : yield* new SigningSecretMissing({ apiKeyId })
  })
})

/** A secret under its seal. */
interface Sealed {
  readonly id: string
  readonly ciphertext: string
  /** Default: that of the secrets of keys. */
  readonly purpose?: string
}

type Owner = Pick<Delivery, "accountId" | "apiKeyId">

type OpenedSecret = Result.Result<SigningSecret.SigningKeys, SealBroken | SigningSecret.SigningSecretInvalid>

const byActivation = Order.mapInput(DateTime.Order, ({ activeAt }: SigningSecretRecord) => activeAt)

const newestOf = (secrets: ReadonlyArray<SigningSecretRecord>): ReadonlyArray<SigningSecretRecord> =>
  Arr.sort(secrets, byActivation).slice(-1)

/** Everything that is kept sealed, to be sealed again under another secret key. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Audit } from "../../audit/AuditEntry.ts"
import type { KeyName } from "../../audit/KeyEvents.ts"
import type { AccountId } from "../../shared/Ids.ts"

export type SealedKind =
  | "signingSecret"
  | "alertTarget"
  | "endpoint"
  /** The secret of an endpoint that another one has replaced. */
  | "previousOfEndpoint"
  | "params"
  | "pepper"

export interface SealedValue {
  readonly kind: SealedKind
  /** Null where it is no account's, or where its id is enough. */
  readonly accountId: AccountId | null
  /** Of what it belongs to. */
  readonly id: string
  readonly sealed: string
}

export class SealedValues extends Context.Service<
  SealedValues,
  {
    /** Those of a kind, of all accounts, that do not begin with the prefix: by rising id, starting after `after`. */
    sealedOtherwise(options: {
      readonly kind: SealedKind
      readonly prefix: string
      readonly after: string | null
      readonly limit: number
    }): Effect.Effect<ReadonlyArray<SealedValue>>

    /**
     * Replaces a seal by another one of the same value. A no-op if somebody has replaced or removed it meanwhile. An
     * audit is told the key of a signing secret.
     */
    reseal(value: SealedValue, to: string, audit?: Audit<[key: KeyName]>): Effect.Effect<void>
  }
>()("@runhook/core/keys/sealing/SealedValues") {}

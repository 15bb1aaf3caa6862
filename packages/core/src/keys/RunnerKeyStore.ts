/** Keeps runner keys. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audit, Audited } from "../audit/AuditEntry.ts"
import { type AccountId, RunnerKeyId, type InAccount } from "../shared/Ids.ts"
import type { RunnerKeyRecord } from "./RunnerKeyRecord.ts"
import type { Page, PageRequest } from "../shared/Page.ts"

/** No such runner key in the account. */
export class RunnerKeyNotFound extends Schema.TaggedError<RunnerKeyNotFound>()("RunnerKeyNotFound", {
  id: RunnerKeyId
}) {
  override get message() {
    return `There is no runner key ${this.id}`
  }
}

export class RunnerKeyStore extends Context.Service<
  RunnerKeyStore,
  {
    create(key: RunnerKeyRecord, audit?: Audit<[created: RunnerKeyRecord]>): Effect.Effect<void>

    /** The key with this public prefix, revoked or not; undefined when there is none. */
    findByPrefix(prefix: string): Effect.Effect<RunnerKeyRecord | undefined>

    /** Newest first, revoked ones included. */
    list(accountId: AccountId, page: PageRequest): Effect.Effect<Page<RunnerKeyRecord>>

    /** Revokes a key for good. Revoking again keeps the first moment. */
    revoke(
      options: InAccount<RunnerKeyId> & Audited<[before: RunnerKeyRecord]>
    ): Effect.Effect<void, RunnerKeyNotFound>
  }
>()("@runhook/core/keys/RunnerKeyStore") {}

/** Changes tables together with the audit entries that tell of the change. */
import { AuditEntry, type NewAuditEntry } from "@runhook/core/audit/AuditEntry"
import { AuditEntryId, newId } from "@runhook/core/shared/Ids"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

/** Notes an entry, if there is one. */
export type Note = (entry: NewAuditEntry | undefined) => void

const stored = storedAs(AuditEntry)

/**
 * Gives a transaction whose body notes what it is about to change. It does so before it writes, so that an entry that
 * cannot be stored prevents the change.
 */
export const makeAudited = Effect.gen(function* () {
  const { audit } = yield* MemoryDatabase
  const random = yield* SecureRandom
  const nextId = Effect.provideService(newId(AuditEntryId), SecureRandom, random)

  return Effect.fnUntraced(function* <A, E>(body: (note: Note) => Result.Result<A, E>) {
    const runSync = Effect.runSyncWith(yield* Effect.context<never>())
    return yield* transaction(() =>
      body((entry) => {
        if (entry === undefined) return
        const id = runSync(nextId)
        audit.set(id, stored({ ...entry, id }))
      })
    )
  })
})

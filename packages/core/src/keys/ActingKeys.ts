/** Keys in whose name operators act: the result has the key's scopes, limits and signing secret. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { AccountId, ApiKeyId } from "../shared/Ids.ts"
import { type ApiKeyRecord, isUsable } from "./ApiKeyRecord.ts"
import { InvalidField } from "../shared/Refusals.ts"
import { type ApiKeyNotFound, ApiKeyStore } from "./ApiKeyStore.ts"

/** The key, if it is still valid. */
export const actingKey = (
  accountId: AccountId,
  id: ApiKeyId
): Effect.Effect<ApiKeyRecord, ApiKeyNotFound | InvalidField, ApiKeyStore> =>
  Effect.gen(function* () {
    const store = yield* ApiKeyStore
    const key = yield* store.get(accountId, id)
    if (isUsable(key, yield* DateTime.now)) return key
    return yield* new InvalidField({
      path: ["key_id"],
      rule: key.revokedAt === null ? "names a key that has expired" : "names a key that was revoked"
    })
  })

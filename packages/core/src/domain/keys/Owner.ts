/** Whose things are meant: those that a key has made, or those of a whole account. */
import type { AccountId, ApiKeyId } from "../Ids.ts"

export interface Owner {
  readonly accountId: AccountId
  /** Null: of any key, or of none. */
  readonly apiKeyId: ApiKeyId | null
}

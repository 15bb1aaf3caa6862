/** Whose things are meant: those that a key has made, or those of a whole account. */
import type { AccountId, ApiKeyId } from "../shared/Ids.ts"
import type { KeyScope } from "./KeyScope.ts"

export interface Owner {
  readonly accountId: AccountId
  /** Null: of any key, or of none. */
  readonly apiKeyId: ApiKeyId | null
}

/** The same for a change, and what it may be about. */
export interface ScopedOwner extends Owner {
  readonly scope: KeyScope
}

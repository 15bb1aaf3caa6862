/** An account: the owner of keys, tasks, agents and executions. */
import * as Schema from "effect/Schema"
import { AccountId } from "../shared/Ids.ts"
import { isStorableText } from "../shared/json/JsonText.ts"
import { RateLimit } from "../keys/RateLimit.ts"
import { isTrimmedLine } from "../shared/OneLine.ts"

export const nameLengthMax = 200

/** The name of a thing people make: 1 to 200 characters on one line, with no space around them. */
export const Name = Schema.String.check(
  Schema.isBetweenCodePoints(1, nameLengthMax),
  isTrimmedLine,
  isStorableText
)

export const Account = Schema.Struct({
  id: AccountId,
  name: Name,
  /** Requests of all its integration keys; null: the service's default. */
  rateLimit: Schema.NullOr(RateLimit),
  /** Unfinished executions of all its keys; null: the service's default. */
  maxLive: Schema.NullOr(Schema.Int),
  /** Days for which its executions are kept after their end; null: as long as the service keeps any. */
  retentionDays: Schema.NullOr(Schema.Int),
  createdAt: Schema.DateTimeUtc
})
export type Account = typeof Account.Type

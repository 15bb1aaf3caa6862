/** An account: the owner of keys, tasks, agents and executions. */
import * as Schema from "effect/Schema"
import { AccountId } from "../Ids.ts"
import { isStorableText } from "../json/JsonText.ts"
import { isOneLine } from "./OneLine.ts"

export const nameLengthMax = 200

/** The name of a thing people make: 1 to 200 characters on one line. */
export const Name = Schema.String.check(
  Schema.isBetweenCodePoints(1, nameLengthMax),
  isOneLine,
  isStorableText
)

export const Account = Schema.Struct({
  id: AccountId,
  name: Name,
  createdAt: Schema.DateTimeUtc
})
export type Account = typeof Account.Type

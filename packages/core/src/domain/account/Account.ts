/** An account: the owner of keys, tasks, agents and executions. */
import * as Schema from "effect/Schema"
import { AccountId } from "../Ids.ts"
import { isStorableText } from "../json/JsonText.ts"

export const nameLengthMax = 200

/** The name of a thing people make: 1 to 200 characters. */
export const Name = Schema.String.check(Schema.isBetweenCodePoints(1, nameLengthMax), isStorableText)

export const Account = Schema.Struct({
  id: AccountId,
  name: Name,
  createdAt: Schema.DateTimeUtc
})
export type Account = typeof Account.Type

/** What is known about a runner key: it lets a process serve agents of one account. */
import * as Schema from "effect/Schema"
import { Name } from "../accounts/Account.ts"
import { AccountId, AgentId, RunnerKeyId } from "../shared/Ids.ts"

export const RunnerKeyRecord = Schema.Struct({
  id: RunnerKeyId,
  accountId: AccountId,
  name: Name,
  prefix: Schema.String,
  /** HMAC-SHA256 of the key under the server's pepper, hex. */
  secretHash: Schema.String,
  /** The agents it may serve; null: all of the account. */
  agentIds: Schema.NullOr(Schema.Array(AgentId)),
  revokedAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc
})
export type RunnerKeyRecord = typeof RunnerKeyRecord.Type

export const mayServe = (key: RunnerKeyRecord, id: AgentId): boolean =>
  key.agentIds === null || key.agentIds.includes(id)

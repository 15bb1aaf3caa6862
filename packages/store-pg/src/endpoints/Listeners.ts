/** The endpoints of accounts as they are now, with the keys that bound them. */
import type { Subscription } from "@runhook/core/endpoints/Subscription"
import { WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import type { AccountId } from "@runhook/core/shared/Ids"
import { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Struct from "effect/Struct"
import { beside, columnsOf, eitherBy, rowTable } from "../rows/RowTable.ts"
import { rowsOf } from "../rows/Rows.ts"
import { smallint, uuids } from "../sql/Parameters.ts"

const fields = [
  "accountId",
  "agentIds",
  "apiKeyId",
  "eventTypes",
  "id",
  "isEnabled",
  "taskIds",
  "url"
] as const
/** The numbers of a bucket rise: an endpoint that is made, or enabled again, has a higher one than all before it. */
const Endpoint = Schema.Struct({ ...Struct.pick(WebhookEndpoint.fields, fields), number: Schema.Int })
const endpointTable = rowTable(columnsOf(Endpoint, "p."), Endpoint)

const Key = Schema.Struct(
  Struct.pick(ApiKeyRecord.fields, [
    "id",
    "allowedAgentIds",
    "allowedTaskIds",
    "capabilities",
    "expiresAt",
    "revokedAt"
  ])
)
const NoKey = Schema.Struct({ id: Schema.Null })
const keyColumns = columnsOf(Key, "k.")
const keyTable = eitherBy<typeof Key.Type | typeof NoKey.Type>("id", {
  ifNull: rowTable(keyColumns, NoKey),
  ifGiven: rowTable(keyColumns, Key)
})

const listenerTable = beside(endpointTable, keyTable)

export interface Listener extends Subscription {
  readonly accountId: AccountId
  readonly number: number
}

export const makeListeners = Effect.gen(function* () {
  const sql = yield* SqlClient

  return Effect.fnUntraced(function* (bucket: number, accounts: ReadonlyArray<AccountId>) {
    const found = yield* rowsOf(listenerTable)(sql`
      SELECT ${sql.literal(listenerTable.columns)}
      FROM webhook_endpoints p
      LEFT JOIN api_keys k ON k.id = p.api_key_id
      WHERE p.bucket = ${smallint(bucket)} AND p.account_id = ANY (${uuids(accounts)})
        AND p.is_enabled AND p.removed_at IS NULL
      ORDER BY p.id`)
    return found.map(([endpoint, key]): Listener => ({ ...endpoint, key: key.id === null ? null : key }))
  })
})

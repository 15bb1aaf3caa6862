/** The endpoints of accounts as they are now, with the keys that bound them. */
import { type EndpointKey, type Subscription } from "@runhook/core/domain/endpoint/Subscription"
import { WebhookEndpoint } from "@runhook/core/domain/endpoint/WebhookEndpoint"
import type { AccountId } from "@runhook/core/domain/Ids"
import { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Struct from "effect/Struct"
import { columnsOf, rowTable } from "../rows/RowTable.ts"
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
const keyTable = rowTable(columnsOf(Key, "k."), Key)

export interface Listener extends Subscription {
  readonly accountId: AccountId
  readonly number: number
}

export const makeListeners = Effect.gen(function* () {
  const sql = yield* SqlClient

  return Effect.fnUntraced(function* (bucket: number, accounts: ReadonlyArray<AccountId>) {
    const endpoints = yield* rowsOf(endpointTable)(sql`
      SELECT ${sql.literal(endpointTable.columns)}
      FROM webhook_endpoints p
      WHERE p.bucket = ${smallint(bucket)} AND p.account_id = ANY (${uuids(accounts)})
        AND p.is_enabled AND p.removed_at IS NULL
      ORDER BY p.id`)
    const ids = Array.dedupe(endpoints.flatMap(({ apiKeyId }) => apiKeyId ?? []))
    const keys =
      ids.length === 0
        ? []
        : yield* rowsOf(keyTable)(sql`
            SELECT ${sql.literal(keyTable.columns)} FROM api_keys k WHERE k.id = ANY (${uuids(ids)})`)
    const byId = new Map<string | null, EndpointKey>(keys.map((key) => [key.id, key]))
    return endpoints.flatMap((endpoint): ReadonlyArray<Listener> => {
      const key = endpoint.apiKeyId === null ? null : byId.get(endpoint.apiKeyId)
      return key === undefined ? [] : [{ ...endpoint, key }]
    })
  })
})

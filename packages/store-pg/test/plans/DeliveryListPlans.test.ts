/** Lists of deliveries, and what they wait for, look at about what they answer. */
import { DeliveryStore, type DeliveryFilter } from "@runhook/core/ports/DeliveryStore"
import { anApiKey } from "@runhook/store-testing/CatalogFixtures"
import { anyDelivery } from "@runhook/store-testing/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Filled } from "./Filled.ts"
import { limit, suite, type Verb } from "./FullTables.ts"

/** Buries what was delivered, so that there is a long list of the dead too. */
const bury = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    WITH died AS (
      UPDATE webhook_deliveries SET state = 'dead' WHERE state = 'delivered' RETURNING bucket, account_id, id
    )
    INSERT INTO webhook_dead (bucket, account_id, delivery_id) SELECT bucket, account_id, id FROM died`
})

const makeVerbs = Effect.gen(function* () {
  yield* bury
  const { executions, tenant } = yield* Filled
  const store = yield* DeliveryStore
  const { accountId, apiKeyId } = tenant
  const { id: unusedKeyId } = yield* anApiKey(accountId)
  const executionId = executions.at(-1)?.id ?? null
  const filters: { readonly [name: string]: Partial<DeliveryFilter> } = {
    everything: {},
    "a key": { apiKeyId },
    "a key without deliveries": { apiKeyId: unusedKeyId },
    "an execution": { executionId },
    "an execution of a key": { apiKeyId, executionId },
    "the dead": { states: ["dead"] },
    "the dead of a key": { apiKeyId, states: ["dead"] }
  }
  const page = { after: null, limit }
  const { items } = yield* store.list(accountId, anyDelivery, page)
  const verbs: ReadonlyArray<Verb> = [
    ...Object.entries(filters).map(([name, filter]) => ({
      name: `list ${name}`,
      run: store.list(accountId, { ...anyDelivery, ...filter }, page)
    })),
    { name: "waits", run: store.waits({ accountId, ids: items.map(({ id }) => id), at: second(1) }) }
  ]
  return verbs
})

suite("lists of deliveries", "database", makeVerbs)

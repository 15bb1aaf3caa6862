/** Lists of deliveries, and what they wait for, look at about what they answer. */
import { DeliveryStore, type DeliveryFilter } from "@runhook/core/ports/DeliveryStore"
import { anApiKey } from "@runhook/store-testing/catalog/CatalogFixtures"
import { anyDelivery } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Filled } from "./Filled.ts"
import { limit, suite, type Verb } from "./FullTables.ts"

/** Fails what was delivered and what waits, by two causes each, so that there are long lists of them too. */
const fail = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    WITH died AS (
      UPDATE webhook_deliveries d
      SET state = 'dead', last_error = 'It failed', last_status = CASE WHEN failed.at_it THEN 503 END,
        last_cause = CASE WHEN failed.at_it THEN 'server_error' ELSE 'dns' END
      FROM (SELECT id, row_number() OVER () % 2 = 0 AS at_it FROM webhook_deliveries) AS failed
      WHERE failed.id = d.id AND d.state = 'delivered'
      RETURNING d.*
    )
    INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
    SELECT d.bucket, d.account_id, d.id, 'https://example.com', d.last_cause, d.type FROM died d`
  yield* sql`
    WITH failed AS (
      UPDATE webhook_deliveries d
      SET last_error = 'It failed', last_status = 401, last_cause = 'unauthorized'
      WHERE d.state = 'pending'
      RETURNING d.*
    )
    INSERT INTO webhook_failing (bucket, account_id, delivery_id, cause)
    SELECT d.bucket, d.account_id, d.id, d.last_cause FROM failed d`
})

const makeVerbs = Effect.gen(function* () {
  yield* fail
  const { executions, tenant } = yield* Filled
  const store = yield* DeliveryStore
  const { accountId, apiKeyId } = tenant
  const { id: unusedKeyId } = yield* anApiKey(accountId)
  const origin = "https://example.com"
  const elsewhere = "https://elsewhere.example"
  const executionId = executions.at(-1)?.id ?? null
  const filters: { readonly [name: string]: Partial<DeliveryFilter> } = {
    everything: {},
    "a key": { apiKeyId },
    "a key without deliveries": { apiKeyId: unusedKeyId },
    "an execution": { executionId },
    "an execution of a key": { apiKeyId, executionId },
    "the dead": { states: ["dead"] },
    "the dead of a key": { apiKeyId, states: ["dead"] },
    "a receiver": { origin },
    "a receiver that nothing was sent to": { origin: elsewhere },
    "the dead of a receiver": { origin, states: ["dead"] },
    "the dead of a receiver that has none": { origin: elsewhere, states: ["dead"] },
    "a cause of the dead": { cause: "server_error" },
    "a cause of those that wait": { cause: "unauthorized" },
    "a cause that nothing has": { cause: "tls_failed" },
    "the dead by a cause that others have": { cause: "unauthorized", states: ["dead"] },
    "those that wait by a cause that others have": { cause: "server_error", states: ["pending"] },
    "the dead of a receiver by cause": { origin, cause: "server_error", states: ["dead"] },
    "what was refused": { answer: "4xx" },
    "what failed at the receiver": { answer: "5xx" },
    "what has no answer": { answer: "none" },
    "the dead without an answer": { answer: "none", states: ["dead"] },
    "the dead that were refused": { answer: "4xx", states: ["dead"] }
  }
  const page = { after: null, limit }
  const { items } = yield* store.list(accountId, anyDelivery, page)
  const verbs: ReadonlyArray<Verb> = [
    ...Object.entries(filters).map(([name, filter]) => ({
      name: `list ${name}`,
      run: store.list(accountId, { ...anyDelivery, ...filter }, page)
    })),
    { name: "dead letters", run: store.deadLetters(accountId) },
    { name: "waits", run: store.waits({ accountId, ids: items.map(({ id }) => id), at: second(1) }) }
  ]
  return verbs
})

suite("lists of deliveries", "database", makeVerbs)

/** Many deliveries at once, for proofs about queues that have grown long. */
import { patient, upkeepPatience } from "@runhook/store-pg/connections/Deadline"
import { originOf } from "@runhook/store-pg/deliveries/queue/Origins"
import type { Sender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Deliveries that wait: `RUNHOOK_ROWS`, or what is enough to tell a walk over them from a look at some. */
export const rows = (otherwise: number) => Config.Int("RUNHOOK_ROWS").pipe(Config.withDefault(otherwise))

/** Queues deliveries for a receiver that have been due for an hour, a millisecond apart. No caller waits for it. */
export const queueMany = Effect.fnUntraced(function* (
  { accountId, apiKeyId }: Sender,
  { count, url }: { readonly count: number; readonly url: string }
) {
  const sql = yield* SqlClient
  yield* sql`
    WITH stored AS (
      INSERT INTO webhook_deliveries (
        bucket, account_id, id, api_key_id, type, url, request_id, body, state, attempts, round,
        next_attempt_at, expires_at, created_at
      )
      SELECT a.bucket, a.id, gen_random_uuid(), ${apiKeyId}::uuid, 'webhook.test', ${url}::text, 'req_test', '{}',
        'pending', 0, 1, times.due_at, times.due_at + interval '4 days', times.due_at
      FROM accounts a
      CROSS JOIN generate_series(1, ${count}::integer) AS number
      CROSS JOIN LATERAL (
        SELECT now() - interval '1 hour' + number * interval '1 millisecond' AS due_at
      ) AS times
      WHERE a.id = ${accountId}::uuid
      RETURNING *
    )
    INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
    SELECT d.bucket, d.account_id, ${originOf(sql, "d.url")}, FALSE, d.next_attempt_at, d.id
    FROM stored d`
}, patient(upkeepPatience))

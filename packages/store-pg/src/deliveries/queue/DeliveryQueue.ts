/** Stores and queues deliveries without an execution's change behind them, such as tests. */
import { type Delivery, destinationOf } from "@runhook/core/deliveries/Delivery"
import { waitOf } from "@runhook/core/deliveries/claim/DeliveryWait"
import { isProbed, untroubled } from "@runhook/core/deliveries/claim/Receiver"
import { passesBreaker } from "@runhook/core/deliveries/TestDelivery"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { boolean, integer, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { decodedFirst } from "../../sql/SqlErrors.ts"

const StateRow = Schema.Struct({
  openings: Schema.Int,
  heldUntil: Schema.NullOr(Schema.DateTimeUtc),
  closedAt: Schema.NullOr(Schema.DateTimeUtc)
})

export const makeEnqueue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  /** Locked, so that of tests at the same moment one passes the breaker: each look begins after the others' commit. */
  const lockReceiver = Effect.fnUntraced(function* (bucket: number, { accountId, url }: Delivery) {
    const found = yield* decodedFirst(StateRow)(sql`
      SELECT r.openings, r.held_until AS "heldUntil", r.closed_at AS "closedAt"
      FROM webhook_receivers r
      WHERE r.bucket = ${smallint(bucket)} AND r.account_id = ${uuid(accountId)} AND r.origin = ${text(destinationOf(url))}
      FOR UPDATE`)
    return found ?? untroubled
  })

  /**
   * Whether a delivery to its receiver is to be tried now. Those of the bucket are few, and in the order of their index;
   * by the receiver, a plan might go through all that waits for it.
   */
  const isAnyTried = (bucket: number, { accountId, url }: Delivery) =>
    Effect.map(
      sql`
        WITH tried AS MATERIALIZED (
          SELECT q.account_id, q.origin
          FROM webhook_queue q
          WHERE q.bucket = ${smallint(bucket)} AND q.is_tried
          ORDER BY q.delivery_id
        )
        SELECT FROM tried
        WHERE account_id = ${uuid(accountId)} AND origin = ${text(destinationOf(url))}
        LIMIT 1`,
      ({ length }) => length > 0
    )

  /** Runs in a transaction of its caller. */
  return Effect.fnUntraced(function* (delivery: Delivery) {
    const { accountId, id } = delivery
    const bucket = yield* buckets.of(accountId)
    const receiver = yield* lockReceiver(bucket, delivery)
    const isAnotherTried = isProbed(receiver) && (yield* isAnyTried(bucket, delivery))
    const isTried = passesBreaker(delivery, { isAnotherTried, receiver })
    yield* sql`
      INSERT INTO webhook_deliveries (
        bucket, account_id, id, api_key_id, endpoint_id, execution_id, revision, type, url, request_id, reference, body, state,
        attempts, attempted_at, round, next_attempt_at, expires_at, last_status, last_error, last_cause, created_at, settled_at
      )
      VALUES (
        ${smallint(bucket)}, ${uuid(accountId)}, ${uuid(id)}, ${uuid(delivery.apiKeyId)}, ${uuid(delivery.endpointId)},
        ${uuid(delivery.executionId)}, ${integer(delivery.revision)}, ${text(delivery.type)}, ${text(delivery.url)}, ${text(delivery.requestId)},
        ${text(delivery.reference)}, ${text(delivery.body)}, ${text(delivery.state)},
        ${integer(delivery.attempts)}, ${timestamptz(delivery.attemptedAt)}, ${integer(delivery.round)},
        ${timestamptz(delivery.nextAttemptAt)}, ${timestamptz(delivery.expiresAt)},
        ${integer(delivery.lastStatus)}, ${text(delivery.lastError)}, ${text(delivery.lastCause)},
        ${timestamptz(delivery.createdAt)}, ${timestamptz(delivery.settledAt)}
      )`
    if (delivery.nextAttemptAt !== null)
      yield* sql`
        INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id, is_tried)
        VALUES (
          ${smallint(bucket)}, ${uuid(accountId)}, ${text(destinationOf(delivery.url))}, ${boolean(delivery.attempts > 0)},
          ${timestamptz(delivery.nextAttemptAt)}, ${uuid(id)}, ${boolean(isTried)}
        )`
    const reasons = { hasEarlier: false, isAttempted: false, isTried, receiver }
    return waitOf(delivery, reasons, delivery.createdAt)
  })
})

/** How receivers fare, in PostgreSQL: the moves of `Receiving`, each on its locked row. */
import { moved, type Receiver, type ReceiverMove, untroubled } from "@runhook/core/domain/Receiving"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { instant } from "../Instants.ts"
import { decodedFirst } from "../Outcomes.ts"

const StateRow = Schema.Struct({
  openings: Schema.Int,
  heldUntil: Schema.NullOr(Schema.DateTimeUtc),
  closedAt: Schema.NullOr(Schema.DateTimeUtc)
})

export const makeReceivers = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** Applies a move, in the transaction around it. */
  const move = Effect.fnUntraced(function* (options: {
    readonly bucket: number
    readonly receiver: Receiver
    readonly move: ReceiverMove
    readonly at: DateTime.Utc
  }) {
    const { at, bucket } = options
    const { accountId, origin } = options.receiver
    yield* sql`
      INSERT INTO webhook_receivers (bucket, account_id, origin)
      VALUES (${bucket}::smallint, ${accountId}::uuid, ${origin}::text)
      ON CONFLICT DO NOTHING`
    const found = yield* decodedFirst(StateRow)(sql`
      SELECT openings, held_until AS "heldUntil", closed_at AS "closedAt"
      FROM webhook_receivers
      WHERE bucket = ${bucket}::smallint AND account_id = ${accountId}::uuid AND origin = ${origin}::text
      FOR UPDATE`)
    const { closedAt, heldUntil, openings } = moved(found ?? untroubled, options.move, at)
    yield* sql`
      UPDATE webhook_receivers
      SET openings = ${openings}::integer, held_until = ${instant(heldUntil)}::timestamptz,
        closed_at = ${instant(closedAt)}::timestamptz
      WHERE bucket = ${bucket}::smallint AND account_id = ${accountId}::uuid AND origin = ${origin}::text`
  })

  return { move }
})

/** The state of receivers in PostgreSQL: the moves of `core/deliveries/claim/Receiver`, each on its locked row. */
import {
  moved,
  type Receiver,
  receiverKey,
  type ReceiverMove,
  type ReceiverState
} from "@runhook/core/deliveries/claim/Receiver"
import { AccountId } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { databaseNow } from "../../clock/DatabaseNow.ts"
import { nowOf, StoreClock } from "../../clock/StoreClock.ts"
import { integer, smallint, text, texts, timestamptz, uuid, uuids } from "../../sql/Parameters.ts"
import { rows } from "../../sql/Rows.ts"
import { decoded } from "../../sql/SqlErrors.ts"

const StateRow = Schema.Struct({
  accountId: AccountId,
  origin: Schema.String,
  openings: Schema.Int,
  heldUntil: Schema.NullOr(Schema.DateTimeUtc),
  closedAt: Schema.NullOr(Schema.DateTimeUtc),
  now: Schema.Finite
})

/** Always the same order, so that two dispatchers do not wait for each other. */
const inOrder = Order.mapInput(Order.String, receiverKey)

export const makeMoveReceivers = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* StoreClock
  // Read only where it counts: Citus takes no clock in RETURNING.
  const nowThere = sql.literal(clock === "database" ? databaseNow : "0")

  /**
   * Applies moves one after the other, in the caller's transaction, with two statements in all. The first inserts
   * missing rows and locks all, in the order of their keys; the second stores the states that the core's moves make
   * of them.
   */
  return Effect.fnUntraced(function* (options: {
    readonly bucket: number
    readonly moves: ReadonlyArray<{ readonly receiver: Receiver; readonly move: ReceiverMove }>
    readonly at: DateTime.Utc
  }) {
    const { at, bucket } = options
    const moves = Array.groupBy(options.moves, ({ receiver }) => receiverKey(receiver))
    const receivers = Array.sort(
      Object.values(moves).map(([{ receiver }]) => receiver),
      inOrder
    )
    const found = yield* decoded(StateRow)(sql`
      INSERT INTO webhook_receivers AS r (bucket, account_id, origin)
      VALUES (
        ${smallint(bucket)}, unnest(${uuids(receivers.map(({ accountId }) => accountId))}),
        unnest(${texts(receivers.map(({ origin }) => origin))})
      )
      -- Locks the row that is there: it may be about to be forgotten.
      ON CONFLICT (bucket, account_id, origin) DO UPDATE SET openings = r.openings
      RETURNING r.account_id AS "accountId", r.origin, r.openings, r.held_until AS "heldUntil",
        r.closed_at AS "closedAt", ${nowThere} AS now`)
    const states = found.map(({ accountId, now: read, origin, ...before }) => {
      const now = nowOf(clock, { at, read })
      const ofReceiver = moves[receiverKey({ accountId, origin })] ?? []
      const behind = DateTime.distance(at, now)
      const after = ofReceiver.reduce<ReceiverState>(
        (state, each) => moved(state, shifted(each.move, behind), now),
        before
      )
      return { accountId, origin, ...after }
    })
    yield* sql`
      UPDATE webhook_receivers r
      SET openings = now_is.openings, held_until = now_is.held_until, closed_at = now_is.closed_at
      FROM ${rows("now_is", states, { account_id: uuid(({ accountId }) => accountId), origin: text(({ origin }) => origin), openings: integer(({ openings }) => openings), held_until: timestamptz(({ heldUntil }) => heldUntil), closed_at: timestamptz(({ closedAt }) => closedAt) })}
      WHERE r.bucket = ${smallint(bucket)} AND r.account_id = now_is.account_id AND r.origin = now_is.origin`
  })
})

/** A move for a clock that is behind by this much. */
const shifted = (move: ReceiverMove, by: ReturnType<typeof DateTime.distance>): ReceiverMove =>
  "until" in move ? { ...move, until: DateTime.addDuration(move.until, by) } : move

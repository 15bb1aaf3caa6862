/** The looks of a claim find what it chooses from, whatever waits and however its receivers fare. */
import { assert, describe, it } from "@effect/vitest"
import { type Choice, choose, earliest } from "@runhook/core/deliveries/claim/ClaimChoice"
import { nextSlice } from "@runhook/core/deliveries/claim/Receiver"
import { AccountId } from "@runhook/core/shared/Ids"
import { type ClaimRoom, roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import {
  findFew,
  type FoundRow,
  foundRows,
  foundTable,
  isPlace,
  type Place,
  start,
  walkDue
} from "@runhook/store-pg/deliveries/claim/FindDue"
import { rowsOf } from "@runhook/store-pg/rows/Rows"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../../TestDatabase.ts"

const at = DateTime.makeUnsafe("2026-01-01T00:01:00Z")
const lease = Duration.seconds(45)

const anyOf = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const seconds = Schema.NullOr(anyOf(120))
/** From then on a receiver is not yet recovered. */
const lately = Schema.Int.check(Schema.isBetween({ minimum: 31, maximum: 60 }))

const Waiting = Schema.Array(
  Schema.Struct({
    account: anyOf(1),
    receiver: anyOf(1),
    dueAt: anyOf(90),
    isRetry: Schema.Boolean,
    isSent: Schema.Boolean,
    isTried: Schema.Boolean
  })
).check(Schema.isMaxLength(60))

const Receivers = Schema.Array(
  Schema.Struct({
    account: anyOf(1),
    receiver: anyOf(1),
    openings: anyOf(1),
    heldUntil: seconds,
    closedAt: lately
  })
).check(Schema.isMaxLength(5))

const Room = Schema.Struct({
  total: anyOf(12),
  retries: anyOf(6),
  account: anyOf(8),
  ofFirstAccount: anyOf(8),
  receiver: anyOf(5),
  ofFirstReceiver: anyOf(9)
})

const accountOf = (number: number) => AccountId.make(`0193a000-0000-7000-8000-00000000000${number}`)
const originOf = (number: number) => `https://${number}.example`

const roomOf = ({ ofFirstAccount, ofFirstReceiver, ...room }: typeof Room.Type): ClaimRoom => ({
  ...roomFor(0),
  ...room,
  accounts: new Map([[accountOf(0), ofFirstAccount]]),
  receivers: [{ accountId: accountOf(0), origin: originOf(0), room: ofFirstReceiver }]
})

/** Fills the queue and the states of receivers. Times are in seconds, of which 60 have passed. */
const fill = Effect.fnUntraced(function* (waiting: typeof Waiting.Type, receivers: typeof Receivers.Type) {
  const sql = yield* SqlClient
  const momentOf = (second: number | null) =>
    second === null ? "NULL" : `'${DateTime.formatIso(DateTime.add(at, { seconds: second - 60 }))}'`
  const keyOf = ({ account, receiver }: { readonly account: number; readonly receiver: number }) =>
    `${account}, '${accountOf(account)}', '${originOf(receiver)}'`
  const states = receivers.map(
    ({ closedAt, heldUntil, openings, ...each }) =>
      `(${keyOf(each)}, ${openings}, ${momentOf(heldUntil)}, ${momentOf(openings > 0 ? null : closedAt)})`
  )
  const places = waiting.map(
    ({ dueAt, isRetry, isSent, isTried, ...each }) =>
      `(${keyOf(each)}, ${isRetry}, ${momentOf(dueAt)}, gen_random_uuid(),
      ${isSent && dueAt > 60 ? `'${accountOf(9)}'` : "NULL"}, ${isTried})`
  )
  yield* sql`DELETE FROM webhook_queue`
  yield* sql`DELETE FROM webhook_receivers`
  if (states.length > 0)
    yield* sql.unsafe(`INSERT INTO webhook_receivers VALUES ${states.join()} ON CONFLICT DO NOTHING`)
      .unprepared
  if (places.length > 0) yield* sql.unsafe(`INSERT INTO webhook_queue VALUES ${places.join()}`).unprepared
})

/** All that waits, read without a thought. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* rowsOf(foundTable)(
    sql.unsafe(`
      SELECT ${foundTable.columns}
      FROM (SELECT *, '2026-01-01T00:01:00Z'::timestamptz AS now, FALSE AS is_too_much FROM webhook_queue) AS s
      JOIN webhook_queue q USING (delivery_id)
      LEFT JOIN webhook_receivers r ON r.account_id = s.account_id AND r.origin = s.origin`)
  )
})

const chosenFrom = (rows: ReadonlyArray<FoundRow>, room: ClaimRoom) =>
  choose(rows.filter(isPlace), { at, lease, room })

const idsOf = ({ chosen }: Choice<Place>) => chosen.map(({ id }) => id)

describe("The looks of a claim", () => {
  it.layer(layerMigrated)((it) => {
    it.effect.prop(
      "find all that the core chooses of everything that waits, and when to look again",
      { waiting: Waiting, receivers: Receivers, bounds: Room },
      ({ bounds, receivers, waiting }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const room = roomOf(bounds)
          yield* fill(waiting, receivers)
          const expected = chosenFrom(yield* everything, room)

          const few = chosenFrom(yield* foundRows(findFew("caller")(sql, { at })), room)
          const rows = yield* foundRows(walkDue("caller")(sql, { at, room, after: start }))
          const walked = chosenFrom(rows, room)

          const next = earliest([walked.nextDueAt, ...rows.map((row) => nextSlice(row, at))])
          assert.deepStrictEqual([idsOf(few), idsOf(walked)], [idsOf(expected), idsOf(expected)])
          assert.deepStrictEqual(
            [few.oldestDueAt, walked.oldestDueAt],
            [expected.oldestDueAt, expected.oldestDueAt]
          )
          assert.isTrue(few.nextDueAt === null || (expected.nextDueAt ?? at) <= few.nextDueAt)
          // What a recovery holds back is not read, and looked for each second.
          assert.isTrue(expected.nextDueAt === null || (next !== null && next <= expected.nextDueAt))
          assert.strictEqual(isSoon(next), isSoon(expected.nextDueAt))
        })
    )
  })
})

const isSoon = (time: DateTime.Utc | null): boolean => time !== null && DateTime.isLessThanOrEqualTo(time, at)

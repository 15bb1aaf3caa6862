/** Prunes deliveries whose time has come. Those that are kept for longer, such as dead ones, are passed once per walk. */
import { EventId, lowestIdAt } from "@runhook/core/shared/Ids"
import type { PruneRound } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { integer, smallint, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { makeDeleteOwned } from "./DeleteOwned.ts"
import { makeNextWithOld } from "./OldRows.ts"
import { makeWalk } from "./Walk.ts"

const IdRow = Schema.Struct({ id: EventId })

/** By when what is pruned was settled, and an id before which it was made. */
const untilOf = ({ at, retention }: Required<PruneRound>) => {
  const delivered = DateTime.subtractDuration(at, retention.delivered)
  const dead = DateTime.subtractDuration(at, retention.dead)
  const before = lowestIdAt(DateTime.add(DateTime.max(delivered, dead), { milliseconds: 1 }))
  return { before, dead, delivered }
}

export const makePruneDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const nextWithOld = yield* makeNextWithOld
  const deleteOwned = yield* makeDeleteOwned

  return makeWalk({
    next: (after, round) =>
      nextWithOld({ table: "webhook_deliveries", after, before: untilOf(round).before }),
    bite: Effect.fnUntraced(function* ({ accountId, bucket }, after, round) {
      const { before, dead, delivered } = untilOf(round)
      const ofAccount = sql`bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}`
      const old = yield* decoded(IdRow)(sql`
        SELECT id FROM webhook_deliveries
        WHERE ${ofAccount} AND id > ${uuid(after)} AND id < ${uuid(before)}
        ORDER BY id
        LIMIT ${integer(round.limit)}`)
      // One that is locked is left for the next walk.
      const locked = sql`
        SELECT id FROM webhook_deliveries
        WHERE ${ofAccount} AND id = ANY (${uuids(old.map(({ id }) => id))})
          AND settled_at <= CASE state
            WHEN 'pending' THEN NULL
            WHEN 'dead' THEN ${timestamptz(dead)}
            ELSE ${timestamptz(delivered)}
          END
        FOR UPDATE SKIP LOCKED`
      const pruned = yield* decoded(IdRow)(locked).pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
        Effect.tap(
          (ids) => sql`DELETE FROM webhook_deliveries WHERE ${ofAccount} AND id = ANY (${uuids(ids)})`
        ),
        Effect.tap((ids) => deleteOwned("delivery", { bucket, accountIds: [accountId], ids })),
        sql.withTransaction
      )
      return { pruned: pruned.length, last: old.length < round.limit ? null : (old.at(-1)?.id ?? null) }
    })
  })
})

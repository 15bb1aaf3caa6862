/**
 * Dead deliveries by receiver and cause: steps from group to group along the
 * index, and counts each group only up to a bound.
 */
import { DeliveryCause } from "@runhook/core/deliveries/steps/AttemptCause"
import {
  type DeadLetterGroup,
  deadLetterGroupsMax,
  type DeadLetters,
  deadLettersCounted
} from "@runhook/core/deliveries/DeadLetters"
import { WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import { type AccountId, EventId, instantOf } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { integer, smallint, uuid } from "../../sql/Parameters.ts"
import { decoded } from "../../sql/SqlErrors.ts"

/** The count of one type in a group. */
const CountRow = Schema.Struct({
  place: Schema.Int,
  origin: Schema.String,
  cause: DeliveryCause,
  type: WebhookEventType,
  dead: Schema.Int,
  isMore: Schema.Boolean,
  oldestId: EventId,
  newestId: EventId
})

export const makeListDeadLetters = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  return Effect.fnUntraced(function* (accountId: AccountId) {
    const bucket = yield* buckets.of(accountId)
    const own = sql`x.bucket = ${smallint(bucket)} AND x.account_id = ${uuid(accountId)}`
    const ofGroup = sql`webhook_dead x WHERE ${own} AND x.origin = g.origin AND x.cause = g.cause`
    const counts = yield* decoded(CountRow)(sql`
      -- The receivers and causes of dead deliveries: each step is one probe of the index, for the first pair behind the last.
      WITH RECURSIVE groups AS (
        (SELECT x.origin, x.cause, 1 AS place FROM webhook_dead x WHERE ${own} ORDER BY x.origin, x.cause LIMIT 1)
        UNION ALL
        SELECT next.origin, next.cause, g.place + 1
        FROM groups g
        CROSS JOIN LATERAL (
          SELECT x.origin, x.cause
          FROM webhook_dead x
          WHERE ${own} AND (x.origin, x.cause) > (g.origin, g.cause)
          ORDER BY x.origin, x.cause
          LIMIT 1
        ) AS next
        WHERE g.place <= ${integer(deadLetterGroupsMax)}
      )
      SELECT g.place, g.origin, g.cause, counted.type, counted.dead, counted."isMore",
        (SELECT x.delivery_id FROM ${ofGroup} ORDER BY x.delivery_id LIMIT 1) AS "oldestId",
        (SELECT x.delivery_id FROM ${ofGroup} ORDER BY x.delivery_id DESC LIMIT 1) AS "newestId"
      FROM groups g
      CROSS JOIN LATERAL (
        SELECT latest.type,
          (count(*) FILTER (WHERE latest.number <= ${integer(deadLettersCounted)}))::integer AS dead,
          bool_or(latest.number > ${integer(deadLettersCounted)}) AS "isMore"
        FROM (
          SELECT x.type, row_number() OVER (ORDER BY x.delivery_id DESC) AS number
          FROM ${ofGroup}
          ORDER BY x.delivery_id DESC
          LIMIT ${integer(deadLettersCounted + 1)}
        ) AS latest
        GROUP BY latest.type
      ) AS counted
      ORDER BY g.place, counted.type`)
    const groups = Object.values(Array.groupBy(counts, ({ place }) => place.toString())).map(groupOf)
    return {
      groups: groups.slice(0, deadLetterGroupsMax),
      isMore: groups.length > deadLetterGroupsMax
    } satisfies DeadLetters
  })
})

const groupOf = (rows: Array.NonEmptyReadonlyArray<typeof CountRow.Type>): DeadLetterGroup => {
  const [{ cause, newestId, oldestId, origin }] = rows
  return {
    origin,
    cause,
    dead: rows.reduce((sum, { dead }) => sum + dead, 0),
    isMore: rows.some(({ isMore }) => isMore),
    oldestAt: instantOf(oldestId),
    newestAt: instantOf(newestId),
    types: new Map(rows.flatMap(({ dead, type }) => (dead > 0 ? [[type, dead] as const] : [])))
  }
}

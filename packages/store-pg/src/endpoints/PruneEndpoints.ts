/** Removes endpoints that nobody fetches from, and ends messages that nobody will fetch: a bite at a time. */
import { deliveryLifetime, pollScheme } from "@runhook/core/domain/delivery/Delivery"
import { abandoned, fetchDue } from "@runhook/core/domain/endpoint/Messages"
import { AccountId, EndpointId } from "@runhook/core/domain/Ids"
import { CallbackOrder } from "@runhook/core/ports/DeliveryStore"
import type { SweepRound } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeLook } from "../database/Nodes.ts"
import { integer, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { raiseRevision } from "./EndpointRevisions.ts"
import type { Mailboxes, Place } from "./Mailboxes.ts"

const EndpointRow = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  id: EndpointId,
  url: Schema.String,
  isRemoved: Schema.Boolean
})

type EndpointRow = typeof EndpointRow.Type

const isExpired = ({ dueAt, now }: Place): boolean =>
  DateTime.isLessThanOrEqualTo(dueAt, DateTime.subtractDuration(now, deliveryLifetime))

/** Endpoints of one bite. */
const endpointsMax = 100

export const makePruneEndpoints = Effect.fnUntraced(function* (mailboxes: Mailboxes) {
  const sql = yield* SqlClient
  const look = yield* makeLook
  const order = yield* CallbackOrder

  const named = ({ accountId, bucket, id }: EndpointRow) =>
    sql`bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}`

  /** Removed ones, forsaken ones, and those with a message that has expired. */
  const find = (at: DateTime.Utc) => {
    const expiredBy = DateTime.subtractDuration(at, deliveryLifetime)
    const isForsaken = sql`
      coalesce(p.fetched_at, p.created_at) + p.remove_after_seconds * interval '1 second' < ${timestamptz(at)}`
    return look((within) =>
      decoded(EndpointRow)(sql`
        SELECT p.bucket, p.account_id AS "accountId", p.id, p.url,
          (p.removed_at IS NOT NULL OR coalesce(${isForsaken}, FALSE)) AS "isRemoved"
        FROM webhook_endpoints p
        WHERE ${within("p")} AND (
          p.removed_at IS NOT NULL OR ${isForsaken} OR (starts_with(p.url, ${text(pollScheme)}) AND EXISTS (
            SELECT FROM webhook_queue q
            WHERE q.bucket = p.bucket AND q.account_id = p.account_id AND q.origin = p.url
              AND q.is_retry IN (FALSE, TRUE) AND q.due_at <= ${timestamptz(expiredBy)}
          ))
        )
        LIMIT ${integer(endpointsMax)}`)
    )
  }

  /** Answers how much it did. */
  const pruneOne = Effect.fnUntraced(function* (endpoint: EndpointRow, { at, limit }: SweepRound) {
    const { bucket, isRemoved, url } = endpoint
    // From here on nothing is told to it.
    if (isRemoved) {
      const marking = Effect.gen(function* () {
        yield* raiseRevision(sql, bucket)
        yield* sql`
          UPDATE webhook_endpoints SET removed_at = ${timestamptz(at)}
          WHERE ${named(endpoint)} AND removed_at IS NULL`
      })
      yield* sql.withTransaction(marking)
    }
    const placesOf = (most: number) =>
      url.startsWith(pollScheme) ? mailboxes.firstPlaces(endpoint, { at, limit: most }) : Effect.succeed([])
    const places = yield* placesOf(limit)
    const found = isRemoved ? places : places.filter(isExpired)
    yield* mailboxes.take(endpoint, found, {
      at,
      bytesMax: Infinity,
      isAll: isRemoved,
      judge: (due, now) =>
        isRemoved ? due.map(({ delivery }) => abandoned(delivery, now)) : fetchDue(due, { at: now, order })
    })
    // Others may have had one of them.
    if (isRemoved && (yield* placesOf(1)).length === 0)
      yield* sql`DELETE FROM webhook_endpoints WHERE ${named(endpoint)}`
    return found.length
  })

  return Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
    const endpoints = yield* find(at)
    let left = limit
    for (const endpoint of endpoints) {
      if (left <= 0) break
      left -= yield* pruneOne(endpoint, { at, limit: left })
    }
    return left <= 0 || endpoints.length === endpointsMax
  })
})

/**
 * Removes endpoints that nobody fetches from, and ends what nobody will be told: for removed endpoints, in removed
 * accounts, for endpoints whose keys let them be told nothing, and what has expired before it was fetched. A bite at a time.
 */
import { deliveryLifetime, pollScheme } from "@runhook/core/deliveries/Delivery"
import { abandoned, fetchDue } from "@runhook/core/endpoints/Messages"
import { tellingCapabilities } from "@runhook/core/endpoints/Subscription"
import { AccountId, EndpointId } from "@runhook/core/shared/Ids"
import { CallbackOrder } from "@runhook/core/deliveries/DeliveryStore"
import type { SweepRound } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { makeLook } from "../database/Nodes.ts"
import { integer, smallint, text, texts, timestamptz, uuid } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { type Mailboxes, type Place, PlaceRow } from "./Mailboxes.ts"

const EndpointRow = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  id: EndpointId,
  url: Schema.String,
  isRemoved: Schema.Boolean
})

type EndpointRow = typeof EndpointRow.Type

/** An endpoint whose key lets it be told nothing, as of the last change of that key. */
const SilencedRow = Schema.Struct({
  ...Struct.omit(EndpointRow.fields, ["isRemoved"]),
  since: Schema.DateTimeUtc
})

const isExpired = ({ dueAt, now }: Place): boolean =>
  DateTime.isLessThanOrEqualTo(dueAt, DateTime.subtractDuration(now, deliveryLifetime))

const AccountRow = Schema.Struct({ bucket: Schema.Int, accountId: AccountId })

/** Endpoints of one bite. */
const endpointsMax = 100

export const makePruneEndpoints = Effect.fnUntraced(function* (mailboxes: Mailboxes) {
  const sql = yield* SqlClient
  const look = yield* makeLook
  const order = yield* CallbackOrder
  const timeSqlAt = yield* makeTimeSqlAt

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

  /** What waits to be sent to a removed endpoint. */
  const pushed = (
    { accountId, bucket, id }: Omit<EndpointRow, "isRemoved">,
    { at, limit }: SweepRound,
    but: Fragment
  ) =>
    decoded(PlaceRow)(sql`
      SELECT d.id, d.next_attempt_at AS "dueAt", ${timeSqlAt(at).now}::timestamptz AS now
      FROM webhook_deliveries d
      WHERE d.endpoint_id = ${uuid(id)} AND d.state = 'pending'
        AND d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} ${but}
      ORDER BY d.id
      LIMIT ${integer(limit)}`)

  /** Those of which this process has cancelled everything: nothing new waits for them. */
  const silent = new Map<EndpointId, number>()

  const findSilenced = (at: DateTime.Utc) =>
    look((within) =>
      decoded(SilencedRow)(sql`
        SELECT p.bucket, p.account_id AS "accountId", p.id, p.url, k.updated_at AS since
        FROM webhook_endpoints p
        JOIN api_keys k ON k.id = p.api_key_id
        WHERE ${within("p")} AND p.removed_at IS NULL AND (
          k.revoked_at IS NOT NULL OR k.expires_at <= ${timestamptz(at)}
          OR NOT k.capabilities @> ${texts(tellingCapabilities)}
        )`)
    )

  /** Cancels what waits for endpoints that are told nothing any more; answers how much that is. */
  const cancelForSilenced = Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
    const { found } = yield* findSilenced(at)
    const isKnown = new Set(found.map(({ id }) => id))
    for (const id of silent.keys()) if (!isKnown.has(id)) silent.delete(id)
    let count = 0
    for (const endpoint of found) {
      if (silent.get(endpoint.id) === endpoint.since.epochMilliseconds) continue
      if (count >= limit) break
      const places = yield* pushed(endpoint, { at, limit: limit - count }, unsent(endpoint))
      yield* cancel(endpoint, places, at)
      count += places.length
      // What is being sent may come back.
      const left = yield* pushed(endpoint, { at, limit: 1 }, sql``)
      if (left.length === 0) silent.set(endpoint.id, endpoint.since.epochMilliseconds)
    }
    return count
  })

  /** Cancels what waits in removed accounts; answers how much that is. */
  const cancelInRemoved = Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
    const accounts = yield* decoded(AccountRow)(sql`
      SELECT bucket, id AS "accountId" FROM accounts WHERE removed_at IS NOT NULL AND erased_at IS NULL`)
    let count = 0
    for (const { accountId, bucket } of accounts) {
      const places = yield* decoded(PlaceRow)(sql`
        SELECT q.delivery_id AS id, q.due_at AS "dueAt", ${timeSqlAt(at).now}::timestamptz AS now
        FROM webhook_queue q
        WHERE q.bucket = ${smallint(bucket)} AND q.account_id = ${uuid(accountId)} AND q.dispatcher_id IS NULL
        LIMIT ${integer(limit - count)}`)
      yield* cancel({ accountId }, places, at)
      count += places.length
      if (count >= limit) break
    }
    return count
  })

  const cancel = (of: Pick<EndpointRow, "accountId">, places: ReadonlyArray<Place>, at: DateTime.Utc) =>
    mailboxes.take(of, places, {
      at,
      bytesMax: Infinity,
      isAll: true,
      judge: (due, now) => due.map(({ delivery }) => abandoned(delivery, now))
    })

  /** Leaves out what is being sent. */
  const unsent = ({ bucket }: Pick<EndpointRow, "bucket">) => sql`
    AND NOT EXISTS (
      SELECT FROM webhook_queue q
      WHERE q.bucket = ${smallint(bucket)} AND q.dispatcher_id IS NOT NULL AND q.delivery_id = d.id
    )`

  /** Answers how much it did. */
  const pruneOne = Effect.fnUntraced(function* (endpoint: EndpointRow, { at, limit }: SweepRound) {
    const { isRemoved, url } = endpoint
    // From here on nothing is told to it.
    if (isRemoved) {
      yield* sql`
        UPDATE webhook_endpoints SET removed_at = ${timestamptz(at)}
        WHERE ${named(endpoint)} AND removed_at IS NULL`
    }
    const placesOf = (most: number, but: Fragment) => {
      const asked = { at, limit: most }
      if (url.startsWith(pollScheme)) return mailboxes.firstPlaces(endpoint, asked)
      return isRemoved ? pushed(endpoint, asked, but) : Effect.succeed([])
    }
    const places = yield* placesOf(limit, unsent(endpoint))
    const found = isRemoved ? places : places.filter(isExpired)
    yield* isRemoved
      ? cancel(endpoint, found, at)
      : mailboxes.take(endpoint, found, {
          at,
          bytesMax: Infinity,
          judge: (due, now) => fetchDue(due, { at: now, order })
        })
    // Others may have had one of them, and what is being sent may come back.
    if (isRemoved && (yield* placesOf(1, sql``)).length === 0)
      yield* sql`DELETE FROM webhook_endpoints WHERE ${named(endpoint)}`
    return found.length
  })

  return Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
    const { found: endpoints } = yield* find(at)
    let left = limit - (yield* cancelInRemoved({ at, limit }))
    if (left > 0) left -= yield* cancelForSilenced({ at, limit: left })
    for (const endpoint of endpoints) {
      if (left <= 0) break
      left -= yield* pruneOne(endpoint, { at, limit: left })
    }
    return left <= 0 || endpoints.length === endpointsMax
  })
})

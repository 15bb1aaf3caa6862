/** Standing endpoints in PostgreSQL. */
import { withSecret, WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import type { Owner } from "@runhook/core/keys/Owner"
import {
  EndpointLimitReached,
  EndpointNotFound,
  type EndpointRef,
  EndpointStore
} from "@runhook/core/endpoints/EndpointStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { takeTurn } from "../engine/Transactions.ts"
import { columnsOf, rowTable } from "../rows/RowTable.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"
import { smallint, timestamptz, uuid } from "../sql/Parameters.ts"
import { inserting, setting } from "../sql/Records.ts"
import { decodedFirst, idempotentOrDefect, inOneTransaction, upkeepOrDefect } from "../sql/SqlErrors.ts"
import { makeFanOut } from "./FanOut.ts"
import { makeMailboxes } from "./Mailboxes.ts"
import { makePruneEndpoints } from "./PruneEndpoints.ts"

const endpointTable = rowTable(columnsOf(WebhookEndpoint, "p."), WebhookEndpoint)

const CountRow = Schema.Struct({ endpoints: Schema.Int })

const NumberRow = Schema.Struct({ number: Schema.Int })

export const layer = Layer.effect(
  EndpointStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const buckets = yield* Buckets
    const note = yield* makeNote
    const mailboxes = yield* makeMailboxes
    const prune = yield* makePruneEndpoints(mailboxes)
    const fanOut = yield* makeFanOut
    const columns = sql.literal(endpointTable.columns)

    const owned = Effect.fnUntraced(function* ({ accountId, apiKeyId }: Owner) {
      return sql.and([
        sql`p.bucket = ${smallint(yield* buckets.of(accountId))} AND p.account_id = ${uuid(accountId)}`,
        sql`p.removed_at IS NULL`,
        ...(apiKeyId === null ? [] : [sql`p.api_key_id = ${uuid(apiKeyId)}`])
      ])
    })

    const find = Effect.fnUntraced(function* (ref: EndpointRef, lock: "locked" | "unlocked") {
      const found = yield* firstOf(endpointTable)(sql`
        SELECT ${columns} FROM webhook_endpoints p
        WHERE ${yield* owned(ref)} AND p.id = ${uuid(ref.id)} ${sql.literal(lock === "locked" ? "FOR UPDATE" : "")}`)
      return found ?? (yield* new EndpointNotFound({ id: ref.id }))
    })

    /** The number of an endpoint that is made or enabled now: above those that any change was noted with. */
    const nextNumber = (bucket: number) =>
      Effect.map(
        decodedFirst(NumberRow)(sql`
          SELECT coalesce(max(number), 0) + 1 AS number FROM webhook_endpoints WHERE bucket = ${smallint(bucket)}`),
        (row) => row?.number ?? 1
      )

    const change = Effect.fnUntraced(function* (
      ref: EndpointRef,
      next: (before: WebhookEndpoint) => WebhookEndpoint
    ) {
      const bucket = yield* buckets.of(ref.accountId)
      const before = yield* find(ref, "locked")
      const after = next(before)
      const isNew = after.isEnabled && !before.isEnabled
      const row = isNew ? { ...after, number: yield* nextNumber(bucket) } : after
      yield* sql`
        UPDATE webhook_endpoints SET ${setting(sql, "webhook_endpoints", row)}
        WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(after.accountId)} AND id = ${uuid(after.id)}`
      return { before, after }
    })

    return EndpointStore.of({
      create: Effect.fnUntraced(function* (endpoint, { audit, limit }) {
        const { accountId } = endpoint
        const bucket = yield* buckets.of(accountId)
        // One at a time, so that the limit holds.
        yield* takeTurn(sql, "endpoints", accountId)
        const all = yield* owned({ accountId, apiKeyId: null })
        const found = yield* decodedFirst(CountRow)(
          sql`SELECT count(*)::integer AS endpoints FROM webhook_endpoints p WHERE ${all}`
        )
        if ((found?.endpoints ?? 0) >= limit) return yield* new EndpointLimitReached({ limit })
        const row = { bucket, ...endpoint, number: yield* nextNumber(bucket) }
        yield* sql`INSERT INTO webhook_endpoints ${inserting(sql, "webhook_endpoints", row)}`
        yield* note(audit?.(endpoint))
      }, atomic),

      get: flow((ref) => find(ref, "unlocked"), idempotentOrDefect),

      list: Effect.fnUntraced(function* (owner) {
        return yield* rowsOf(endpointTable)(
          sql`SELECT ${columns} FROM webhook_endpoints p WHERE ${yield* owned(owner)} ORDER BY p.id`
        )
      }, idempotentOrDefect),

      update: Effect.fnUntraced(function* (ref, { at, audit, change: changed }) {
        const { after, before } = yield* change(ref, (endpoint) => ({
          ...endpoint,
          ...changed,
          updatedAt: at
        }))
        yield* note(audit?.(before, after))
        return after
      }, atomic),

      rotate: Effect.fnUntraced(function* (ref, { audit, ...secret }) {
        const { after } = yield* change(ref, (endpoint) => withSecret(endpoint, secret))
        yield* note(audit?.(after))
        return after
      }, atomic),

      remove: Effect.fnUntraced(function* (ref, { at, audit }) {
        const { accountId, id } = ref
        const bucket = yield* buckets.of(accountId)
        const endpoint = yield* find(ref, "locked")
        yield* sql`
          UPDATE webhook_endpoints SET removed_at = ${timestamptz(at)}
          WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}`
        yield* note(audit?.(endpoint))
      }, atomic),

      fanOut: flow(fanOut, idempotentOrDefect),

      fetch: flow(mailboxes.fetch, idempotentOrDefect),

      given: flow(mailboxes.given, idempotentOrDefect),

      changed: flow(mailboxes.changed, idempotentOrDefect),

      prune: flow(prune, upkeepOrDefect)
    })
  })
)

/** Sealed values in PostgreSQL: the table and the column of each kind. */
import { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { AccountId } from "@runhook/core/shared/Ids"
import { type SealedKind, type SealedValue, SealedValues } from "@runhook/core/keys/sealing/SealedValues"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { typesOf } from "../schema/Columns.ts"
import { sealedColumns } from "../schema/Ownership.ts"
import { integer, smallint, text, uuid } from "../sql/Parameters.ts"
import { decoded, decodedFirst, inOneTransaction, upkeepOrDefect } from "../sql/SqlErrors.ts"

const ValueRow = Schema.Struct({
  accountId: Schema.NullOr(AccountId),
  id: Schema.String,
  sealed: Schema.String
})

const KeyRow = Schema.Struct(Struct.pick(ApiKeyRecord.fields, ["accountId", "id", "name"]))

export const layer = Layer.effect(
  SealedValues,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const buckets = yield* Buckets
    const note = yield* makeNote

    /** Where values of a kind are, as rows `t`. */
    const placeOf = (kind: SealedKind) => {
      const found = sealedColumns.find((each) => each.kind === kind)
      const { key = "", name = "", placed } = found?.table ?? {}
      const types = typesOf(name)
      return {
        table: sql.literal(name),
        column: sql.literal(`t.${found?.column}`),
        set: sql.literal(`${found?.column}`),
        id: sql.literal(`t.${key}`),
        type: sql.literal(`${types.get(key)}`),
        account: sql.literal(types.has("account_id") ? "t.account_id" : "NULL::uuid"),
        isByBucket: placed === "bucket"
      }
    }

    const keyOf = (value: SealedValue) =>
      decodedFirst(KeyRow)(sql`
        SELECT k.account_id AS "accountId", k.id, k.name
        FROM signing_secrets s
        JOIN api_keys k ON k.id = s.api_key_id
        WHERE s.id = ${uuid(value.id)}`)

    return SealedValues.of({
      sealedOtherwise: Effect.fnUntraced(function* ({ after, kind, limit, prefix }) {
        const { account, column, id, table, type } = placeOf(kind)
        // A node that is away fails it: what was missed would be lost with the older key.
        const found = yield* decoded(ValueRow)(sql`
          SELECT ${account} AS "accountId", ${id}::text AS id, ${column} AS sealed
          FROM ${table} t
          WHERE ${column} IS NOT NULL AND NOT starts_with(${column}, ${text(prefix)})
            AND ${after === null ? sql`TRUE` : sql`${id} > ${text(after)}::${type}`}
          ORDER BY ${id}
          LIMIT ${integer(limit)}`)
        return found.map((row) => ({ ...row, kind }))
      }, upkeepOrDefect),

      reseal: Effect.fnUntraced(function* (value, to, audit) {
        const { column, id, isByBucket, set, table, type } = placeOf(value.kind)
        const within =
          isByBucket && value.accountId !== null
            ? sql`t.bucket = ${smallint(yield* buckets.of(value.accountId))}`
            : sql`TRUE`
        const resealed = yield* sql`
          UPDATE ${table} t
          SET ${set} = ${text(to)}
          WHERE ${within} AND ${id} = ${text(value.id)}::${type} AND ${column} = ${text(value.sealed)}
          RETURNING 1`
        if (resealed.length === 0 || audit === undefined || value.kind !== "signingSecret") return
        const key = yield* keyOf(value)
        yield* note(key && audit(key))
      }, inOneTransaction(sql))
    })
  })
)

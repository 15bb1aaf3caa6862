/** Accounts in PostgreSQL. */
import { Account } from "@runhook/core/domain/account/Account"
import type { AccountId } from "@runhook/core/domain/Ids"
import { AccountNotFound, AccountStore } from "@runhook/core/ports/AccountStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeNote } from "../audit/AuditEntries.ts"
import { PointReads } from "../connections/PointReads.ts"
import { cacheFound } from "../sql/LookupCache.ts"
import { behind, oneMore, pageOf } from "../sql/Paging.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"
import { integer, json, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { decoded, decodedFirst, idempotentOrDefect, inOneTransaction } from "../sql/SqlErrors.ts"
import { bucketOfNew } from "./Buckets.ts"

export const layer = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const reads = yield* PointReads
    const note = yield* makeNote
    const columns = sql.literal(listOf(columnsOf(Account, "")))

    // Every request looks up the limits of its account.
    const byId = cacheFound(
      sql,
      Effect.fnUntraced(function* (id: AccountId) {
        const account = yield* decodedFirst(Account)(
          reads`SELECT ${columns} FROM accounts WHERE id = ${uuid(id)}`
        )
        return account ?? (yield* new AccountNotFound({ id }))
      }, idempotentOrDefect)
    )

    return AccountStore.of({
      create: Effect.fnUntraced(function* (account, audit) {
        const { createdAt, id, maxLive, name, rateLimit, retentionDays } = account
        yield* sql`
            INSERT INTO accounts (id, bucket, name, rate_limit, max_live, retention_days, created_at)
            VALUES (
              ${uuid(id)}, ${smallint(bucketOfNew(id))}, ${text(name)}, ${json(rateText(rateLimit))},
              ${integer(maxLive)}, ${integer(retentionDays)}, ${timestamptz(createdAt)}
            )`
        yield* note(audit?.(account))
      }, atomic),

      get: byId.get,

      update: Effect.fnUntraced(
        function* ({ audit, change, id }) {
          const before = yield* decodedFirst(Account)(
            sql`SELECT ${columns} FROM accounts WHERE id = ${uuid(id)} FOR UPDATE`
          )
          if (before === undefined) return yield* new AccountNotFound({ id })
          const account = { ...before, ...change }
          yield* sql`
            UPDATE accounts
            SET name = ${text(account.name)}, rate_limit = ${json(rateText(account.rateLimit))},
              max_live = ${integer(account.maxLive)}, retention_days = ${integer(account.retentionDays)}
            WHERE id = ${uuid(id)}`
          yield* note(audit?.(before, account))
          return account
        },
        atomic,
        Effect.ensuring(byId.forget)
      ),

      list: Effect.fnUntraced(function* (page) {
        const rows = yield* decoded(Account)(sql`
          SELECT ${columns}
          FROM accounts
          WHERE ${behind(sql, "id", page)}
          ORDER BY id DESC
          LIMIT ${integer(oneMore(page))}`)
        return pageOf(rows, page)
      }, idempotentOrDefect)
    })
  })
)

const rateText = (limit: Account["rateLimit"]): string | null => limit && JSON.stringify(limit)

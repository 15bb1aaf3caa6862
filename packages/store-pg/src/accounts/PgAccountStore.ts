/** Accounts in PostgreSQL. */
import { Account } from "@runhook/core/domain/account/Account"
import { accountCreated } from "@runhook/core/domain/audit/KeyEvents"
import { AccountNotFound, AccountStore } from "@runhook/core/ports/AccountStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeNote } from "../audit/AuditEntries.ts"
import { PointReads } from "../connections/PointReads.ts"
import { behind, oneMore, pageOf } from "../sql/Paging.ts"
import { integer, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { decoded, decodedFirst, orDefect, idempotentOrDefect } from "../sql/SqlErrors.ts"
import { bucketOfNew } from "./Buckets.ts"

export const layer = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const reads = yield* PointReads
    const note = yield* makeNote
    const columns = sql.literal(`id, name, created_at AS "createdAt"`)

    return AccountStore.of({
      create: Effect.fnUntraced(
        function* (account) {
          const { createdAt, id, name } = account
          yield* sql`
            INSERT INTO accounts (id, bucket, name, created_at)
            VALUES (${uuid(id)}, ${smallint(bucketOfNew(id))}, ${text(name)}, ${timestamptz(createdAt)})`
          yield* note(accountCreated(account))
        },
        (creating) => sql.withTransaction(creating),
        orDefect
      ),

      get: Effect.fnUntraced(function* (id) {
        const account = yield* decodedFirst(Account)(
          reads`SELECT ${columns} FROM accounts WHERE id = ${uuid(id)}`
        )
        return account ?? (yield* new AccountNotFound({ id }))
      }, idempotentOrDefect),

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

/** Accounts in PostgreSQL. */
import { Account } from "@runhook/core/accounts/Account"
import { ExecutionStatus, isTerminal } from "@runhook/core/executions/ExecutionStatus"
import { type AccountId, ApiKeyId, PersonSessionId, RunnerKeyId } from "@runhook/core/shared/Ids"
import { AccountNotFound } from "@runhook/core/shared/Refusals"
import { AccountInUse, AccountStore, inUseCountMax } from "@runhook/core/accounts/AccountStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeNote } from "../audit/AuditEntries.ts"
import { listsOf } from "../executions/list/ListedStatus.ts"
import { ofStatus } from "../executions/list/ListNumbers.ts"
import { cacheFound } from "../sql/LookupCache.ts"
import { newest, pageOf } from "../sql/Paging.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"
import { integer, smallint, texts, timestamptz, uuid } from "../sql/Parameters.ts"
import { inserting, setting } from "../sql/Records.ts"
import { decoded, decodedFirst, idempotentOrDefect, inOneTransaction } from "../sql/SqlErrors.ts"
import { bucketOfNew, Buckets } from "./Buckets.ts"
import { CredentialCaches } from "./CredentialCaches.ts"

const CountRow = Schema.Struct({ count: Schema.Int })

const ValidRow = Schema.Struct({ id: Schema.Union([ApiKeyId, PersonSessionId, RunnerKeyId]) })

const unfinishedStatuses = ExecutionStatus.literals.filter((status) => !isTerminal(status))

export const layer = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const buckets = yield* Buckets
    const credentials = yield* CredentialCaches
    const note = yield* makeNote
    const columns = sql.literal(listOf(columnsOf(Account, "")))

    const by = (lock: Fragment) =>
      Effect.fnUntraced(function* (id: AccountId) {
        const account = yield* decodedFirst(Account)(
          sql`SELECT ${columns} FROM accounts WHERE id = ${uuid(id)} AND removed_at IS NULL ${lock}`
        )
        return account ?? (yield* new AccountNotFound({ id }))
      })

    // Every request looks up the limits of its account.
    const byId = cacheFound(sql, flow(by(sql``), idempotentOrDefect))

    /** Locks the account, so that of two concurrent changes the second sees the result of the first. */
    const locked = by(sql`FOR UPDATE`)

    const counted = (found: Fragment) =>
      Effect.map(
        decodedFirst(CountRow)(sql`
          SELECT count(*)::integer AS count FROM (${found} LIMIT ${integer(inUseCountMax)}) AS found`),
        (row) => row?.count ?? 0
      )

    /** Executions that have not ended. */
    const unfinishedOf = (id: AccountId, bucket: number) =>
      counted(sql`
        SELECT
        FROM (
          SELECT ${uuid(id)} AS account_id, status FROM unnest(${texts(listsOf(unfinishedStatuses))}) AS status
        ) AS asked
        JOIN execution_status s ON ${sql.literal(`${ofStatus("s")} = ${ofStatus("asked")}`)}
          AND s.account_id = asked.account_id AND s.status = asked.status
          AND ${buckets.within(bucket)("s")}`)

    return AccountStore.of({
      create: Effect.fnUntraced(function* (account, audit) {
        const row = { ...account, bucket: bucketOfNew(account.id) }
        yield* sql`INSERT INTO accounts ${inserting(sql, "accounts", row)}`
        yield* note(audit?.(account))
      }, atomic),

      get: byId.get,

      update: Effect.fnUntraced(
        function* ({ audit, change, id }) {
          const before = yield* locked(id)
          const account = { ...before, ...change }
          yield* sql`UPDATE accounts SET ${setting(sql, "accounts", account)} WHERE id = ${uuid(id)}`
          yield* note(audit?.(before, account))
          return account
        },
        atomic,
        Effect.ensuring(byId.forget)
      ),

      remove: Effect.fnUntraced(
        function* ({ at, audit, id }) {
          const account = yield* locked(id)
          const bucket = yield* buckets.of(id)
          // Creates lock these rows, and make nothing without them: what is under way is counted below, and no other
          // follows.
          yield* sql`
            DELETE FROM live_counts WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(id)}`
          const count = yield* unfinishedOf(id, bucket)
          if (count > 0) return yield* new AccountInUse({ id, count })
          const valid = yield* decoded(ValidRow)(sql`
            SELECT id FROM api_keys WHERE account_id = ${uuid(id)} AND revoked_at IS NULL
            UNION ALL
            SELECT id FROM runner_keys WHERE account_id = ${uuid(id)} AND revoked_at IS NULL
            UNION ALL
            SELECT id FROM console_sessions WHERE account_id = ${uuid(id)} AND ended_at IS NULL`)
          yield* sql`
            UPDATE accounts
            SET removed_at = ${timestamptz(at)}, name = '', rate_limit = NULL, max_live = NULL, retention_days = NULL
            WHERE id = ${uuid(id)}`
          yield* note(audit?.(account))
          return valid.map((each) => each.id)
        },
        atomic,
        Effect.ensuring(Effect.andThen(byId.forget, credentials.forget))
      ),

      list: Effect.fnUntraced(function* (page) {
        const rows = yield* decoded(Account)(sql`
          SELECT ${columns}
          FROM accounts
          WHERE removed_at IS NULL AND ${newest(sql, "id", page)}`)
        return pageOf(rows, page)
      }, idempotentOrDefect)
    })
  })
)

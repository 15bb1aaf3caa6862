/** Runner keys in PostgreSQL. */
import { RunnerKeyNotFound, RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { isAccountKnown } from "../accounts/Removed.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"
import { newest, pageOf } from "../sql/Paging.ts"
import { text, timestamptz, uuid } from "../sql/Parameters.ts"
import { inserting } from "../sql/Records.ts"
import { idempotentOrDefect, inOneTransaction } from "../sql/SqlErrors.ts"
import { runnerKeyTable } from "./KeyRow.ts"

export const layer = Layer.effect(
  RunnerKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const note = yield* makeNote
    const columns = sql.literal(runnerKeyTable.columns)

    return RunnerKeyStore.of({
      create: Effect.fnUntraced(function* (key, audit) {
        yield* sql`INSERT INTO runner_keys ${inserting(sql, "runner_keys", key)}`
        yield* note(audit?.(key))
      }, atomic),

      findByPrefix: flow(
        (prefix) =>
          firstOf(runnerKeyTable)(
            sql`SELECT ${columns} FROM runner_keys WHERE prefix = ${text(prefix)} AND ${isAccountKnown("runner_keys")}`
          ),
        idempotentOrDefect
      ),

      list: Effect.fnUntraced(function* (accountId, page) {
        const rows = yield* rowsOf(runnerKeyTable)(sql`
          SELECT ${columns}
          FROM runner_keys
          WHERE account_id = ${uuid(accountId)} AND ${newest(sql, "id", page)}`)
        return pageOf(rows, page)
      }, idempotentOrDefect),

      revoke: Effect.fnUntraced(function* ({ accountId, id, at, audit }) {
        const key = yield* firstOf(runnerKeyTable)(sql`
            SELECT ${columns} FROM runner_keys
            WHERE id = ${uuid(id)} AND account_id = ${uuid(accountId)}
            FOR UPDATE`)
        if (key === undefined) return yield* new RunnerKeyNotFound({ id })
        yield* sql`
            UPDATE runner_keys
            SET revoked_at = coalesce(revoked_at, ${timestamptz(at)})
            WHERE id = ${uuid(id)}`
        yield* note(audit?.(key))
      }, atomic)
    })
  })
)

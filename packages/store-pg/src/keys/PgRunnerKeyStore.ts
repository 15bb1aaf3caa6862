/** Runner keys in PostgreSQL. */
import { RunnerKeyNotFound, RunnerKeyStore } from "@runhook/core/ports/RunnerKeyStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { isAccountKnown } from "../accounts/Removed.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { PointReads } from "../connections/PointReads.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"
import { behind, oneMore, pageOf } from "../sql/Paging.ts"
import { integer, text, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { idempotentOrDefect, inOneTransaction } from "../sql/SqlErrors.ts"
import { runnerKeyTable } from "./KeyRow.ts"

export const layer = Layer.effect(
  RunnerKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const reads = yield* PointReads
    const note = yield* makeNote
    const columns = sql.literal(runnerKeyTable.columns)

    return RunnerKeyStore.of({
      create: Effect.fnUntraced(function* (key, audit) {
        yield* sql`
            INSERT INTO runner_keys (id, account_id, name, prefix, secret_hash, agent_ids, revoked_at, created_at)
            VALUES (
              ${uuid(key.id)}, ${uuid(key.accountId)}, ${text(key.name)}, ${text(key.prefix)},
              ${text(key.secretHash)}, ${uuids(key.agentIds)}, ${timestamptz(key.revokedAt)},
              ${timestamptz(key.createdAt)}
            )`
        yield* note(audit?.(key))
      }, atomic),

      findByPrefix: flow(
        (prefix) =>
          firstOf(runnerKeyTable)(
            reads`SELECT ${columns} FROM runner_keys WHERE prefix = ${text(prefix)} AND ${isAccountKnown("runner_keys")}`
          ),
        idempotentOrDefect
      ),

      list: Effect.fnUntraced(function* (accountId, page) {
        const rows = yield* rowsOf(runnerKeyTable)(sql`
          SELECT ${columns}
          FROM runner_keys
          WHERE account_id = ${uuid(accountId)} AND ${behind(sql, "id", page)}
          ORDER BY id DESC
          LIMIT ${integer(oneMore(page))}`)
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

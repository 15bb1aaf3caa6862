/** Prunes old entries of the audit log. */
import { auditKeptSince } from "@runhook/core/sweeps/Retention"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { integer, smallint, uuid } from "../sql/Parameters.ts"
import { makeNextWithOld } from "./OldRows.ts"
import { makeWalk } from "./Walk.ts"

export const makePruneAudit = Effect.gen(function* () {
  const sql = yield* SqlClient
  const nextWithOld = yield* makeNextWithOld

  return makeWalk({
    next: (after, { at, retention }) =>
      nextWithOld({ table: "audit_log", after, before: auditKeptSince(retention, at) }),
    bite: Effect.fnUntraced(function* ({ accountId, bucket }, _, { at, limit, retention }) {
      const pruned = yield* sql<{ readonly id: string }>`
        DELETE FROM audit_log
        WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}
          AND id = ANY (ARRAY(
            SELECT l.id FROM audit_log l
            WHERE l.bucket = ${smallint(bucket)} AND l.account_id = ${uuid(accountId)}
              AND l.id < ${uuid(auditKeptSince(retention, at))}
            ORDER BY l.id
            LIMIT ${integer(limit)}
          ))
        RETURNING id`
      return { pruned: pruned.length, last: pruned.length < limit ? null : (pruned.at(-1)?.id ?? null) }
    })
  })
})

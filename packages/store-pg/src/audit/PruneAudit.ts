/** Prunes old entries of the audit log, one account and one bounded batch at a time. */
import { auditKeptSince, type Retention } from "@runhook/core/domain/Retention"
import type { SweepRound } from "@runhook/core/ports/SweepStore"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { firstAccount, makeNextWithOld } from "../accounts/OldRows.ts"
import { integer, smallint, uuid } from "../sql/Parameters.ts"

export const makePruneAudit = Effect.gen(function* () {
  const sql = yield* SqlClient
  const nextWithOld = yield* makeNextWithOld

  return Effect.fnUntraced(function* (round: SweepRound & { readonly retention: Retention }) {
    const before = auditKeptSince(round.retention, round.at)
    const account = yield* nextWithOld({ table: "audit_log", after: firstAccount, before })
    if (account === undefined) return { pruned: 0, hasMore: false }
    const { accountId, bucket } = account
    const pruned = yield* sql`
      DELETE FROM audit_log
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}
        AND id = ANY (ARRAY(
          SELECT l.id FROM audit_log l
          WHERE l.bucket = ${smallint(bucket)} AND l.account_id = ${uuid(accountId)} AND l.id < ${uuid(before)}
          ORDER BY l.id
          LIMIT ${integer(round.limit)}
        ))
      RETURNING id`
    return { pruned: pruned.length, hasMore: true }
  })
})

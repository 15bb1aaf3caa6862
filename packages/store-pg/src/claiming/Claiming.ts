/** Claims of work. Who finds nothing learns when something will be due. */
import { type RunStore, SessionNotFound } from "@runhook/core/ports/RunStore"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../Buckets.ts"
import { byCallersClock, StoreClock } from "../clock/StoreClock.ts"
import { decodedFirst } from "../Outcomes.ts"
import { PgRuns } from "../PgRuns.ts"
import { claimTable } from "../rows/ClaimRow.ts"
import { rowsOf } from "../rows/Rows.ts"
import { claimStatement, NextDueRow, nextDueStatement } from "./ClaimStatement.ts"

const claimed = rowsOf(claimTable)

export const makeClaiming = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const clock = yield* StoreClock
  const runs = yield* PgRuns
  const claim = claimStatement(clock)
  const findNextDue = nextDueStatement(clock)

  return Effect.fnUntraced(function* (options: Parameters<RunStore["Service"]["claim"]>[0]) {
    const { at, session } = options
    const claiming = { ...options, bucket: yield* buckets.of(session.accountId) }
    const found = yield* claimed(claim(sql, claiming))
    if (found.length > 0) {
      yield* runs.remember(found.map(({ stored }) => stored))
      return { claims: found.map((each) => each.claim), nextDueAt: null }
    }
    const next = yield* decodedFirst(NextDueRow)(findNextDue(sql, claiming))
    if (next === undefined) return yield* new SessionNotFound({ id: session.id })
    return { claims: [], nextDueAt: byCallersClock(next.nextDueAt, { ...next, at }) }
  })
})

/** Claims of work. Who finds nothing learns when something will be due. */
import { type RunStore, SessionNotFound } from "@runhook/core/ports/RunStore"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../Buckets.ts"
import { byCallersClock, StoreClock } from "../clock/StoreClock.ts"
import { decoded, decodedFirst } from "../Outcomes.ts"
import { PgRuns } from "../PgRuns.ts"
import {
  claimOf,
  ClaimRow,
  claimStatement,
  NextDueRow,
  nextDueStatement,
  storedClaimOf
} from "./ClaimStatement.ts"

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
    const rows = yield* decoded(ClaimRow)(claim(sql, claiming))
    if (rows.length > 0) {
      const stored = rows.map(storedClaimOf)
      yield* runs.remember(stored)
      return { claims: rows.map((row, place) => claimOf(row, stored[place])), nextDueAt: null }
    }
    const next = yield* decodedFirst(NextDueRow)(findNextDue(sql, claiming))
    if (next === undefined) return yield* new SessionNotFound({ id: session.id })
    return { claims: [], nextDueAt: byCallersClock(next.nextDueAt, { ...next, at }) }
  })
})

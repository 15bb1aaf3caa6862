/**
 * Claims runs for a session. One that will probably find nothing looks before it
 * claims; a session that finds nothing learns when something will be due.
 */
import { type RunStore, SessionNotFound } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { byCallersClock, StoreClock } from "../../clock/StoreClock.ts"
import { PgRuns } from "../moves/PgRuns.ts"
import { decodedFirst } from "../../sql/SqlErrors.ts"
import { makeCheckpoints } from "../Checkpoints.ts"
import { makeClaim } from "./ClaimRuns.ts"
import { WorkRow, findWork } from "./FindWork.ts"

export const makeClaimRuns = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const clock = yield* StoreClock
  const runs = yield* PgRuns
  const claim = makeClaim(sql, clock)
  const look = findWork(clock)
  const { withCheckpoints } = yield* makeCheckpoints

  return Effect.fnUntraced(function* (options: Parameters<RunStore["Service"]["claim"]>[0]) {
    const { at, isLikely = true, session } = options
    const claiming = { ...options, bucket: yield* buckets.of(session.accountId) }
    const looking = decodedFirst(WorkRow)(look(sql, claiming))
    const seen = isLikely ? undefined : yield* looking
    const found = seen?.isWorthIt === false ? [] : yield* claim(claiming)
    if (found.length > 0) {
      yield* runs.remember(found.map(({ stored }) => stored))
      const claims = yield* withCheckpoints(
        claiming.bucket,
        found.map((each) => each.claim)
      )
      return { claims, isMoreDue: true, nextDueAt: null }
    }
    // What came between the look and the claim may be due before what was seen.
    const next = seen?.isWorthIt === false ? seen : yield* looking
    if (next === undefined) return yield* new SessionNotFound({ id: session.id })
    const nextDueAt = byCallersClock(next.nextDueAt, { ...next, at })
    return { claims: [], isMoreDue: next.isWorthIt, nextDueAt }
  })
})

/**
 * Claims runs for a session. One that found nothing learns when something will
 * be due, and from then on looks before it claims, until there is something.
 */
import type { SessionId } from "@runhook/core/domain/Ids"
import { type RunStore, SessionNotFound } from "@runhook/core/ports/RunStore"
import { BoundedMap } from "@runhook/core/runtime/BoundedMap"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { byCallersClock, StoreClock } from "../../clock/StoreClock.ts"
import { PointReads } from "../../connections/PointReads.ts"
import { PgRuns } from "../../moves/PgRuns.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { decodedFirst } from "../../sql/SqlErrors.ts"
import { claimTable } from "../ClaimRow.ts"
import { claimRuns } from "./ClaimRuns.ts"
import { WorkRow, findWork } from "./FindWork.ts"

/** Sessions for which there was nothing the last time, as one process remembers them. */
const idleMax = 10_000

const claimed = rowsOf(claimTable)

export const makeClaimRuns = Effect.gen(function* () {
  const sql = yield* SqlClient
  const reads = yield* PointReads
  const buckets = yield* Buckets
  const clock = yield* StoreClock
  const runs = yield* PgRuns
  const claim = claimRuns(clock)
  const look = findWork(clock)
  const idle = new BoundedMap<SessionId, true>(idleMax)

  return Effect.fnUntraced(function* (options: Parameters<RunStore["Service"]["claim"]>[0]) {
    const { at, session } = options
    const claiming = { ...options, bucket: yield* buckets.of(session.accountId) }
    const looking = decodedFirst(WorkRow)(look(reads, claiming))
    const seen = idle.get(session.id) ? yield* looking : undefined
    const found = seen?.isWorthIt === false ? [] : yield* claimed(claim(sql, claiming))
    if (found.length > 0) {
      idle.delete(session.id)
      yield* runs.remember(found.map(({ stored }) => stored))
      return { claims: found.map((each) => each.claim), nextDueAt: null }
    }
    idle.set(session.id, true)
    // What came between the look and the claim may be due before what was seen.
    const next = seen?.isWorthIt === false ? seen : yield* looking
    if (next === undefined) return yield* new SessionNotFound({ id: session.id })
    return { claims: [], nextDueAt: byCallersClock(next.nextDueAt, { ...next, at }) }
  })
})

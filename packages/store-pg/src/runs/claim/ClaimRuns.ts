/** Claims runs for a session, by the function `claim_runs`. */
import { itemBytes, pageBytesMax } from "@runhook/core/shared/Page"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Clock, nowGiven } from "../../clock/StoreClock.ts"
import { databaseFunctionOf } from "../../engine/DatabaseFunction.ts"
import { float8, integer, text, timestamptz, uuid, uuids } from "../../sql/Parameters.ts"
import type { InBucket } from "../../sql/Statement.ts"
import { claimAnswer } from "../ClaimRow.ts"

export interface ClaimRequest extends InBucket {
  readonly session: RunnerSession
  readonly claimId: string
  readonly limit: number
  readonly bytesMax?: number
  readonly startDeadline: Duration.Duration
  readonly at: DateTime.Utc
}

/** It has no items: the runs are found there. */
interface Claiming extends ClaimRequest {
  readonly items: readonly []
  readonly now: DateTime.Utc | null
}

export const accountId = uuid(({ session }: ClaimRequest) => session.accountId)
export const sessionId = uuid(({ session }: ClaimRequest) => session.id)
/** Null for all agents of the account. */
export const agentIds = uuids(({ session }: ClaimRequest) => session.agentIds)
export const claimId = text(({ claimId: id }: ClaimRequest) => id)

export const claimRuns = databaseFunctionOf({
  name: "claim_runs",
  parameters: {
    account_id: accountId,
    session_id: sessionId,
    agent_ids: agentIds,
    claim_id: claimId,
    limit: integer(({ limit }: Claiming) => limit),
    bytes_max: integer(({ bytesMax = pageBytesMax }: Claiming) => bytesMax),
    item_bytes: integer<Claiming>(() => itemBytes),
    now: timestamptz(({ now }: Claiming) => now),
    start_deadline: float8(({ startDeadline }: Claiming) => Duration.toMillis(startDeadline))
  },
  columns: {},
  table: claimAnswer
})

export const makeClaim = (sql: SqlClient, clock: Clock) => (request: ClaimRequest) =>
  claimRuns.call(sql, { ...request, items: [], now: nowGiven(clock, request.at) })

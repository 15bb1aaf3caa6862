/**
 * Heartbeats of runners. Most change nothing worth a write, so they only read the session and the runs in flight.
 * Writes are guarded by what was read.
 */
import type { Lease } from "@runhook/core/runs/Lease"
import { beat } from "@runhook/core/runs/LeaseMoves"
import type { HeldRun } from "@runhook/core/runs/Run"
import { RunnerSession, seenEvery } from "@runhook/core/runs/sessions/RunnerSession"
import { type RunStore, SessionNotFound } from "@runhook/core/runs/RunStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { type Clock, StoreClock } from "../clock/StoreClock.ts"
import { fixedTimeSql } from "../clock/FixedTimeSql.ts"
import { extendLeases } from "./moves/ExtendLeases.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"
import { both, rowTable } from "../rows/RowTable.ts"
import { boolean, inBucket, uuid, uuids } from "../sql/Parameters.ts"
import { type InBucket, statement, fixed } from "../sql/Statement.ts"
import { heldTable } from "./HeldRow.ts"
import { ofSession, sessionTable } from "./SessionRow.ts"

type Options = Parameters<RunStore["Service"]["beat"]>[0]

interface Sign extends InBucket, Options {}

const accountId = uuid(({ session }: Sign) => session.accountId)
const isDraining = boolean((sign: Sign) => sign.isDraining)

/** The session, and the moment that counts as now. */
const columns = { ...ofSession, now: "now" }
const heardSession = firstOf(
  both(
    rowTable(columns, RunnerSession),
    rowTable(columns, Schema.Struct({ now: Schema.DateTimeUtc })),
    (session, { now }) => ({ session, now })
  )
)

/** Answers the session and the moment that counts as now. Writes the session only if `isSeenAnew` says so. */
const touchSession = (clock: Clock) => {
  const { before, now } = fixedTimeSql(clock)
  const isIt = fixed<Sign>`
    bucket = ${inBucket} AND account_id = ${accountId} AND id = ${uuid(({ session }) => session.id)}
      AND runner_key_id = ${uuid(({ session }) => session.runnerKeyId)}`
  return statement(fixed<Sign>`
    -- The session, written only if that says something new: most heartbeats do not write.
    WITH heard AS (
      UPDATE runner_sessions
      SET is_draining = coalesce(${isDraining}, is_draining), last_seen_at = ${now}
      WHERE ${isIt}
        AND (last_seen_at <= ${before(() => seenEvery)} OR is_draining <> ${isDraining})
      RETURNING *
    )
    SELECT ${sessionTable.columns}, ${now} AS now FROM heard
    UNION ALL
    SELECT ${sessionTable.columns}, ${now} AS now FROM runner_sessions WHERE ${isIt} AND NOT EXISTS (SELECT FROM heard)`)
}

const idsOf = uuids(({ inFlight }: Sign) => [...new Set(inFlight.map(({ executionId }) => executionId))])

/** Answers the current runs in flight, each once. */
const readHeld = statement(fixed<Sign>`
  SELECT ${heldTable.columns}
  FROM unnest(${idsOf}) WITH ORDINALITY AS held (id, place)
  CROSS JOIN LATERAL (
    SELECT * FROM executions e
    WHERE e.bucket = ${inBucket} AND e.id = held.id AND e.account_id = ${accountId}
    LIMIT 1
  ) AS e
  ORDER BY held.place`)

const heldRuns = rowsOf(heldTable)

/** A run as it was read, and its new lease. */
interface Beaten {
  readonly run: HeldRun
  readonly lease: Lease | null
}

export const makeHeartbeats = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const hear = touchSession(yield* StoreClock)

  /** The runs with their leases as they are stored. */
  const extend = Effect.fnUntraced(function* (bucket: number, found: ReadonlyArray<HeldRun>, sign: Heard) {
    const heard = beaten(found, sign)
    const extensions = heard.filter(({ lease, run }) => lease !== run.lease)
    if (extensions.length === 0) return found
    const extended = yield* extendLeases(
      sql,
      bucket,
      extensions.map(({ lease, run }) => ({ id: run.execution.id, revision: run.revision, lease }))
    )
    return heard.map(({ lease, run }) => (extended.has(run.execution.id) ? { ...run, lease } : run))
  })

  return Effect.fnUntraced(function* (options: Options) {
    const { id } = options.session
    const bucket = yield* buckets.of(options.session.accountId)
    const sign = { ...options, bucket }
    const heard = yield* heardSession(hear(sql, sign))
    if (heard === undefined) return yield* new SessionNotFound({ id })
    const { now: at, session } = heard
    if (options.inFlight.length === 0) return { session, held: [] }
    const held = yield* heldRuns(readHeld(sql, sign))
    return { session, held: yield* extend(bucket, held, { ...options, at }) }
  })
})

interface Heard extends Pick<Options, "inFlight" | "lease" | "session"> {
  readonly at: DateTime.Utc
}

/** A runner may name work under a former epoch besides the current one. */
const beaten = (
  runs: ReadonlyArray<HeldRun>,
  { at, inFlight, lease, session }: Heard
): ReadonlyArray<Beaten> => {
  const named = Map.groupBy(inFlight, ({ executionId }) => executionId)
  return runs.map((run) => ({
    run,
    lease: (named.get(run.execution.id) ?? []).reduce(
      (held, { epoch }) => beat({ ...run, lease: held }, { sessionId: session.id, epoch, at, lease }),
      run.lease
    )
  }))
}

/** Sessions and leases in PostgreSQL. */
import { ask, type Asked } from "@runhook/core/domain/Asking"
import { delayOf, finish } from "@runhook/core/domain/Finishing"
import type { InputRequest } from "@runhook/core/domain/InputRequest"
import { giveBack, start } from "@runhook/core/domain/Leasing"
import { waitAfter } from "@runhook/core/domain/RetryBackoff"
import { RunStore } from "@runhook/core/ports/RunStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { integers, uuids } from "./Arrays.ts"
import { Buckets } from "./Buckets.ts"
import { byCallersClock, StoreClock } from "./clock/StoreClock.ts"
import { claimOf, ClaimRow, claimStatement, NextDueRow, nextDueStatement } from "./claiming/ClaimStatement.ts"
import * as Asking from "./moves/Asking.ts"
import * as Finishing from "./moves/Finishing.ts"
import * as Leasing from "./moves/Leasing.ts"
import { decoded, decodedFirst, settled, settledRepeatable } from "./Outcomes.ts"
import { PgRuns } from "./PgRuns.ts"
import { makeSessions } from "./PgSessions.ts"
import { heldColumns, heldRunOf, HeldRow } from "./rows/RunRow.ts"

const LeaseRow = Schema.Struct({ expiresAt: Schema.DateTimeUtc })

/** Of the questions of an execution `e` the last. */
const lastInput = `CASE WHEN e.inputs = '[]' THEN e.inputs ELSE jsonb_build_array(e.inputs -> -1) END`

export const layer = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const buckets = yield* Buckets
    const runs = yield* PgRuns
    const sessions = yield* makeSessions
    const clock = yield* StoreClock
    const claimBy = claimStatement(clock)
    const nextDueBy = nextDueStatement(clock)

    return RunStore.of({
      get: Effect.fn("PgRunStore.get")(runs.get, settledRepeatable),

      openSession: Effect.fn("PgRunStore.openSession")(sessions.open, settled),

      getSession: Effect.fn("PgRunStore.getSession")(sessions.get, settledRepeatable),

      listSessions: Effect.fn("PgRunStore.listSessions")(sessions.list, settledRepeatable),

      drainSession: Effect.fn("PgRunStore.drainSession")(sessions.drain, settled),

      closeSession: Effect.fn("PgRunStore.closeSession")(sessions.close, settled),

      claim: Effect.fn("PgRunStore.claim")(function* (options) {
        const bucket = yield* buckets.of(options.session.accountId)
        const { at } = options
        const claiming = { ...options, bucket }
        const rows = yield* decoded(ClaimRow)(claimBy(sql, claiming))
        const next = yield* decodedFirst(NextDueRow)(nextDueBy(sql, claiming))
        return {
          claims: rows.map(claimOf),
          nextDueAt: next ? byCallersClock(next.nextDueAt, { ...next, at }) : null
        }
      }, settledRepeatable),

      beat: Effect.fn("PgRunStore.beat")(function* ({ session, isDraining, inFlight, lease, at }) {
        const { accountId, id } = session
        const bucket = yield* buckets.of(accountId)
        const moments = runs.momentsAt(at)
        const rows = yield* decoded(HeldRow)(sql`
          WITH heard AS (
            UPDATE runner_sessions
            SET is_draining = ${isDraining}::boolean, last_seen_at = ${moments.now}
            WHERE bucket = ${bucket}::smallint AND account_id = ${accountId}::uuid AND id = ${id}::uuid
          ),
          held AS (
            SELECT *
            FROM unnest(
              ${uuids(inFlight.map(({ executionId }) => executionId))}::uuid[],
              ${integers(inFlight.map(({ epoch }) => epoch))}::integer[]
            ) WITH ORDINALITY AS held (id, epoch, place)
          ),
          started AS (
            SELECT e.id
            FROM held
            JOIN executions e ON e.bucket = ${bucket}::smallint AND e.id = held.id
            WHERE e.account_id = ${accountId}::uuid AND e.epoch = held.epoch AND e.slot IS NOT NULL
              AND e.session_id = ${id}::uuid AND e.status <> 'queued'
            -- Always in one order: two beats of one session would otherwise wait for each other.
            ORDER BY e.id
            FOR UPDATE OF e
          ),
          extended AS (
            UPDATE executions e
            SET lease_expires_at = ${moments.after(lease)}
            FROM started
            WHERE e.bucket = ${bucket}::smallint AND e.id = started.id
            RETURNING e.*
          )
          SELECT ${sql.literal(heldColumns("e", lastInput))}
          FROM held
          CROSS JOIN LATERAL (
            SELECT * FROM extended WHERE extended.id = held.id
            UNION ALL
            SELECT e.* FROM executions e
            WHERE e.bucket = ${bucket}::smallint AND e.id = held.id AND e.account_id = ${accountId}::uuid
            LIMIT 1
          ) AS e
          CROSS JOIN LATERAL (
            SELECT * FROM execution_requests r WHERE r.bucket = ${bucket}::smallint AND r.id = e.id LIMIT 1
          ) AS r
          ORDER BY held.place`)
        return rows.map(heldRunOf)
      }, settledRepeatable),

      start: Effect.fnUntraced(function* (options) {
        const { accountId, epoch, id, lease } = options
        const moments = runs.momentsAt(options.at)
        const steps = [Leasing.start(sql, { epoch, lease, moments })]
        const change = yield* runs.move(options, steps, (run) => start(run, options))
        if (change.changed) return change
        const bucket = yield* buckets.of(accountId)
        const extended = yield* decodedFirst(LeaseRow)(sql`
          UPDATE executions e
          SET lease_expires_at = ${moments.after(lease)}
          WHERE e.bucket = ${bucket}::smallint AND e.id = ${id}::uuid AND e.account_id = ${accountId}::uuid
            AND ${Leasing.isHeld(sql, epoch)}
          RETURNING lease_expires_at AS "expiresAt"`)
        const { run } = change
        return { ...change, run: { ...run, lease: run.lease && { ...run.lease, ...extended } } }
      }, settled),

      finish: Effect.fnUntraced(function* (options) {
        const { outcome } = options
        // Neither the attempt nor its policy changes as long as the lease is held.
        const retryWait =
          outcome._tag === "Failed" && outcome.isRetryable
            ? (delayOf(outcome) ?? waitAfter((yield* runs.get(options)).execution))
            : Duration.zero
        const steps = Finishing.finish(sql, { ...options, moments: runs.momentsAt(options.at), retryWait })
        return yield* runs.move(options, steps, (run) => finish(run, options))
      }, settled),

      giveBack: Effect.fn("PgRunStore.giveBack")(
        (options) =>
          runs.move(
            options,
            [Leasing.giveBack(sql, { ...options, moments: runs.momentsAt(options.at) })],
            (run) => giveBack(run, options)
          ),
        settled
      ),

      ask: Effect.fn("PgRunStore.ask")(function* (options) {
        const steps = [Asking.ask(sql, { ...options, moments: runs.momentsAt(options.at) })]
        const change = yield* runs.move(options, steps, (run) =>
          Result.map(ask(run, options), (asked: Asked) => asked.change)
        )
        const found = Result.map(ask(change.run, options), (asked): InputRequest => asked.input)
        return { change, input: Result.getOrElse(found, () => options.input) }
      }, settled)
    })
  })
)

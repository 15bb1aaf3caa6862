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
import { Buckets } from "./Buckets.ts"
import { makeClaiming } from "./claiming/Claiming.ts"
import { makeHearing } from "./Hearing.ts"
import * as Asking from "./moves/Asking.ts"
import * as Finishing from "./moves/Finishing.ts"
import * as Leasing from "./moves/Leasing.ts"
import { decodedFirst, settled, settledRepeatable } from "./Outcomes.ts"
import { PgRuns } from "./PgRuns.ts"
import { makeSessions } from "./PgSessions.ts"

const LeaseRow = Schema.Struct({ expiresAt: Schema.DateTimeUtc })

export const layer = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const buckets = yield* Buckets
    const runs = yield* PgRuns
    const sessions = yield* makeSessions
    const hear = yield* makeHearing
    const claim = yield* makeClaiming

    return RunStore.of({
      get: Effect.fn("PgRunStore.get")(runs.get, settledRepeatable),

      openSession: Effect.fn("PgRunStore.openSession")(sessions.open, settled),

      getSession: Effect.fn("PgRunStore.getSession")(sessions.get, settledRepeatable),

      listSessions: Effect.fn("PgRunStore.listSessions")(sessions.list, settledRepeatable),

      drainSession: Effect.fn("PgRunStore.drainSession")(sessions.drain, settled),

      closeSession: Effect.fn("PgRunStore.closeSession")(sessions.close, settled),

      claim: Effect.fn("PgRunStore.claim")(claim, settledRepeatable),

      beat: Effect.fn("PgRunStore.beat")(hear, settledRepeatable),

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

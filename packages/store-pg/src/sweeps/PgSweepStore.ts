/** The sweeps in PostgreSQL: each finds what is due in all buckets without a lock, then moves it. */
import { earliest } from "@runhook/core/deliveries/claim/ClaimChoice"
import { AccountId, ExecutionId } from "@runhook/core/shared/Ids"
import { retentionDefault } from "@runhook/core/sweeps/Retention"
import { expire, timeOut } from "@runhook/core/runs/EndMoves"
import { expireInput } from "@runhook/core/runs/InputMoves"
import { loseLease } from "@runhook/core/runs/LeaseMoves"
import { type Change, type Run } from "@runhook/core/runs/Run"
import { type SweepRound, SweepStore } from "@runhook/core/sweeps/SweepStore"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeLeftOvers } from "../artifacts/LeftOvers.ts"
import { byCallersClock } from "../clock/StoreClock.ts"
import type { Within } from "../accounts/Buckets.ts"
import { makeLook } from "../database/Nodes.ts"
import { PgRuns } from "../runs/moves/PgRuns.ts"
import { makePrune } from "../retention/Prune.ts"
import { makeSeats } from "../runs/seats/Seats.ts"
import { ageRules } from "../schema/Ownership.ts"
import { integer } from "../sql/Parameters.ts"
import { decoded, upkeepOrDefect } from "../sql/SqlErrors.ts"

const NextRow = Schema.Struct({ now: Schema.DateTimeUtc, nextDueAt: Schema.NullOr(Schema.DateTimeUtc) })

const DueRow = Schema.Struct({ accountId: AccountId, id: ExecutionId })

export const layer = Layer.effect(
  SweepStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const runs = yield* PgRuns
    const look = yield* makeLook
    const { giveSeats, nextSeatAt } = yield* makeSeats
    const prune = yield* makePrune
    const { dropLeftOvers, leftOvers, strays } = yield* makeLeftOvers

    /** Since when rows have been kept that expire, and for how long. */
    const expiring = (within: Within) =>
      ageRules.flatMap(({ rule: { kept, of, since }, table: { name } }) =>
        of === "expired" && since !== undefined
          ? [
              sql`
          UNION ALL
          SELECT min(${sql.literal(since)}) + make_interval(secs => ${integer(Duration.toSeconds(kept(retentionDefault)))})
          FROM ${sql.literal(name)} t
          WHERE ${within("t")}`
            ]
          : []
      )

    /** Moves what a look has found. Of two concurrent sweeps, the second skips an execution that the first moves. */
    const sweep = (
      move: (run: Run, at: DateTime.Utc) => Change,
      /** Finds the executions `e` that are due, earliest first. */
      due: (now: Fragment, within: Within) => Fragment
    ) =>
      Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
        const { found: refs } = yield* look((within) =>
          decoded(DueRow)(sql`
            SELECT e.account_id AS "accountId", e.id
            FROM ${due(runs.timeSqlAt(at).now, within)}
            LIMIT ${integer(limit)}`)
        )
        return yield* runs.sweep({ refs, at }, (run, now) => Result.succeed(move(run, now)))
      }, upkeepOrDefect)

    /** Executions by a moment of theirs that an index has. */
    const dueBy = (column: string, of: Fragment = sql``) => {
      const moment = sql.literal(column)
      return (now: Fragment, within: Within) => sql`
        executions e WHERE ${moment} <= ${now} ${of} AND ${within("e")} ORDER BY ${moment}, e.id`
    }

    return SweepStore.of({
      nextDueAt: Effect.fnUntraced(function* (at) {
        const { found } = yield* look((within) =>
          decoded(NextRow)(sql`
        SELECT ${runs.timeSqlAt(at).now} AS now, min(due_at) AS "nextDueAt"
        FROM (
          SELECT min(e.lease_expires_at) AS due_at
          FROM agent_slots s
          JOIN executions e ON e.bucket = s.bucket AND e.id = s.execution_id
          WHERE s.execution_id IS NOT NULL AND ${within("s")} AND ${within("e")}
          UNION ALL
          SELECT min(deadline_at) FROM executions e WHERE status = 'running' AND ${within("e")}
          UNION ALL
          SELECT min(input_expires_at) FROM executions e WHERE ${within("e")}
          UNION ALL
          SELECT min(start_by) FROM executions e WHERE ${within("e")}
          ${sql.join(" ", false)(expiring(within))}
        ) AS times`)
        )
        const next = earliest(found.map(({ nextDueAt }) => nextDueAt))
        return byCallersClock(next, { now: found[0]?.now ?? at, at })
      }, upkeepOrDefect),

      // An index on lease ends would cost every heartbeat more than this walk over the slots in use.
      expireLeases: sweep(
        loseLease,
        (now, within) => sql`
          agent_slots s
          JOIN executions e ON e.bucket = s.bucket AND e.id = s.execution_id
          WHERE s.execution_id IS NOT NULL AND e.lease_expires_at <= ${now} AND ${within("s")} AND ${within("e")}
          ORDER BY e.lease_expires_at, e.id`
      ),

      timeOutRuns: sweep(timeOut, dueBy("e.deadline_at", sql`AND e.status = 'running'`)),

      expireInputs: sweep(expireInput, dueBy("e.input_expires_at")),

      expireExecutions: sweep(expire, dueBy("e.start_by")),

      giveSeats: flow(giveSeats, upkeepOrDefect),

      nextSeatAt: flow(nextSeatAt, upkeepOrDefect),

      prune: flow(prune, upkeepOrDefect),

      leftOvers: flow(leftOvers, upkeepOrDefect),

      strays: flow(strays, upkeepOrDefect),

      dropLeftOvers: flow(dropLeftOvers, upkeepOrDefect)
    })
  })
)

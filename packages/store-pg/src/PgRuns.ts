/** Runs in PostgreSQL: read as they are, and moved by the steps of `moves/`, which the core's pure moves explain. */
import { type AccountId, EventId, type ExecutionId, newId } from "@runhook/core/domain/Ids"
import type { Change, Run } from "@runhook/core/domain/Run"
import { ExecutionNotFound } from "@runhook/core/ports/ExecutionStore"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Buckets } from "./Buckets.ts"
import { type Moments, momentsOf, StoreClock } from "./clock/StoreClock.ts"
import { ChangeRow, changeOf, type Locked, moveStatement, type Step } from "./moves/Frame.ts"
import { decodedFirst } from "./Outcomes.ts"
import { runColumns, runOf, RunRow } from "./rows/RunRow.ts"

/** Names one execution of an account. */
export interface ExecutionRef {
  readonly accountId: AccountId
  readonly id: ExecutionId
}

/** How often a move is tried on an execution that others change meanwhile. */
const triesMax = 20

type Fault = SqlError | Schema.SchemaError

export class PgRuns extends Context.Service<
  PgRuns,
  {
    /** The run as it is now. */
    get(ref: ExecutionRef): Effect.Effect<Run, ExecutionNotFound | Fault>

    /** What a caller says of moments, by the clock of the store. */
    momentsAt(at: DateTime.Utc): Moments

    /**
     * Moves one run by the first of the steps that applies. When none does,
     * the pure move says why: that its work is done, or what is in the way.
     */
    move<E>(
      ref: ExecutionRef,
      steps: ReadonlyArray<Step>,
      pure: (run: Run) => Result.Result<Change, E>
    ): Effect.Effect<Change, E | ExecutionNotFound | Fault>

    /** Moves one run by the first of the steps that applies; undefined when none does. */
    tryMove(
      ref: ExecutionRef,
      steps: ReadonlyArray<Step>,
      locked: Locked
    ): Effect.Effect<Change | undefined, Fault>
  }
>()("@runhook/store-pg/PgRuns") {
  static readonly layer = Layer.effect(
    PgRuns,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const buckets = yield* Buckets
      const clock = yield* StoreClock
      const random = yield* SecureRandom
      const nextEventId = Effect.provideService(newId(EventId), SecureRandom, random)

      const get = Effect.fnUntraced(function* ({ accountId, id }: ExecutionRef) {
        const bucket = yield* buckets.of(accountId)
        const row = yield* decodedFirst(RunRow)(sql`
          SELECT ${sql.literal(runColumns("e"))}, x.result
          FROM executions e
          JOIN execution_requests r ON r.bucket = ${bucket}::smallint AND r.id = ${id}::uuid
          LEFT JOIN execution_results x ON x.bucket = ${bucket}::smallint AND x.execution_id = ${id}::uuid
          WHERE e.bucket = ${bucket}::smallint AND e.id = ${id}::uuid AND e.account_id = ${accountId}::uuid`)
        return row === undefined ? yield* new ExecutionNotFound({ id }) : runOf(row)
      })

      /** Moves a run by the first of the steps that applies; undefined when none does. */
      const tryMove = Effect.fnUntraced(function* (
        ref: ExecutionRef,
        steps: ReadonlyArray<Step>,
        locked: Locked
      ) {
        const bucket = yield* buckets.of(ref.accountId)
        for (const step of steps) {
          const target = { ...ref, bucket, eventId: yield* nextEventId }
          const row = yield* decodedFirst(ChangeRow)(moveStatement(sql, { target, step, locked }))
          if (row !== undefined) return changeOf(row, target)
        }
        return undefined
      })

      const move = Effect.fnUntraced(function* <E>(
        ref: ExecutionRef,
        steps: ReadonlyArray<Step>,
        pure: (run: Run) => Result.Result<Change, E>
      ) {
        for (let tries = 0; tries < triesMax; tries++) {
          const change = yield* tryMove(ref, steps, "wait")
          if (change !== undefined) return change
          const unmoved = yield* Effect.fromResult(pure(yield* get(ref)))
          if (!unmoved.changed) return unmoved
          // It could move by now: somebody else came in between.
        }
        return yield* Effect.die(
          new Error(`Execution ${ref.id} changed ${triesMax} times while it was to move`)
        )
      })

      return PgRuns.of({ get, momentsAt: (at) => momentsOf(sql, { at, clock }), move, tryMove })
    })
  )
}

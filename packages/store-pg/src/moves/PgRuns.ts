/** Runs in PostgreSQL: reads them, and moves them by the core's pure moves. */
import type { Audit } from "@runhook/core/domain/audit/AuditEntry"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import type { Change, Run } from "@runhook/core/domain/run/Run"
import type { AccountId, ExecutionId } from "@runhook/core/domain/Ids"
import { ExecutionNotFound } from "@runhook/core/domain/Refusals"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import * as GroupCommit from "../engine/GroupCommit.ts"
import { makeTimeSqlAt, type TimeSql } from "../clock/StoreClock.ts"
import type { StoredRun } from "../executions/RunRow.ts"
import { isInTransaction } from "../engine/Transactions.ts"
import { makeApplyMoves, type Moved } from "./ApplyMoves.ts"
import { type ExecutionRef, judged, type Move, type Verb } from "./Move.ts"
import { readRuns } from "./ReadRuns.ts"

export type { ExecutionRef } from "./Move.ts"

/** Moves in one group. */
export const sizeMax = 64

/** Runs that one sweep moves at once. */
const concurrency = 128

type Fault = SqlError | Schema.SchemaError

export class PgRuns extends Context.Service<
  PgRuns,
  {
    /** The current run. */
    get(ref: ExecutionRef): Effect.Effect<Run, ExecutionNotFound | Fault>

    /** The moments that a caller means, by the store's clock. */
    timeSqlAt(at: DateTime.Utc): TimeSql

    /** Caches runs as they were just stored, for their next moves; not in a transaction, which may be rolled back. */
    remember(runs: ReadonlyArray<StoredRun>): Effect.Effect<void>

    /** Moves one run, however many others move it meanwhile, and adds its audit entry if there is one. */
    move<E>(
      options: {
        readonly ref: ExecutionRef
        readonly at: DateTime.Utc
        readonly audit?: Audit<[execution: Execution]> | undefined
      },
      verb: Verb<E>
    ): Effect.Effect<Change, E | ExecutionNotFound | Fault>

    /**
     * Moves runs of an account in the open transaction of the caller, one after the other in their order. Answers the
     * changes, and how many no try would move, such as those that cannot be read.
     */
    moveEach(
      options: {
        readonly accountId: AccountId
        readonly ids: ReadonlyArray<ExecutionId>
        readonly at: DateTime.Utc
        readonly audit: Audit<[execution: Execution]> | undefined
      },
      verb: Verb<never>
    ): Effect.Effect<{ readonly changes: ReadonlyArray<Change>; readonly failed: number }, Fault>

    /** Moves those runs that no one else is moving, and answers the changes. */
    sweep(
      options: { readonly refs: ReadonlyArray<ExecutionRef>; readonly at: DateTime.Utc },
      verb: Verb<never>
    ): Effect.Effect<ReadonlyArray<Change>, Fault>
  }
>()("@runhook/store-pg/moves/PgRuns") {
  static readonly layer = Layer.effect(
    PgRuns,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const buckets = yield* Buckets
      const timeSqlAt = yield* makeTimeSqlAt
      const moving = yield* makeApplyMoves
      const group = yield* GroupCommit.make<Move, Moved>({
        name: "moves",
        sizeMax,
        // While one commits, the next is prepared.
        inFlightMax: 2,
        accountOf: ({ ref }) => ref.accountId,
        subjectOf: ({ ref }) => ref.id,
        store: moving.moveAll
      })

      const get = Effect.fnUntraced(function* ({ accountId, id }: ExecutionRef) {
        const { runs } = yield* readRuns(sql, yield* buckets.of(accountId), [id])
        const run = runs.get(id)?.run
        return run?.execution.accountId === accountId ? run : yield* new ExecutionNotFound({ id })
      })

      const make = Effect.fnUntraced(function* (move: Move) {
        const bucket = yield* buckets.of(move.ref.accountId)
        return (yield* isInTransaction(sql))
          ? yield* sql.withTransaction(moving.moveJoined(bucket, move))
          : yield* group.submit(bucket, move)
      })

      const move = Effect.fnUntraced(function* <E>(
        options: Pick<Move, "at" | "audit" | "ref">,
        verb: Verb<E>
      ) {
        const { at, audit, ref } = options
        const { move: asked, verdict } = judged({ at, audit, ref, urgency: "asked" }, verb)
        return (yield* make(asked)) ?? (yield* verdict)
      })

      const sweepOne = (ref: ExecutionRef, at: DateTime.Utc, verb: Verb<never>) =>
        make(judged({ at, ref, urgency: "swept" }, verb).move)

      return PgRuns.of({
        get,
        timeSqlAt,
        remember: (runs) =>
          Effect.map(isInTransaction(sql), (isJoined) => {
            if (!isJoined) for (const stored of runs) moving.remember(stored)
          }),
        move,
        moveEach: Effect.fnUntraced(function* ({ accountId, at, audit, ids }, verb) {
          const moves = ids.map(
            (id) => judged({ at, audit, ref: { accountId, id }, urgency: "asked" }, verb).move
          )
          const moved = yield* moving.moveEachJoined(yield* buckets.of(accountId), moves)
          const answered = moved.filter((change) => change !== "failed")
          return {
            changes: answered.filter((change) => change !== undefined).filter(({ changed }) => changed),
            failed: moved.length - answered.length
          }
        }),
        sweep: ({ at, refs }, verb) =>
          Effect.map(
            Effect.forEach(refs, (ref) => sweepOne(ref, at, verb), { concurrency }),
            (changes) => changes.filter((change) => change !== undefined).filter(({ changed }) => changed)
          )
      })
    })
  )
}

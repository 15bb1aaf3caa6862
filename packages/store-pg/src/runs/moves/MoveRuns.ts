/** Reads runs, and moves them by the core's pure moves: in groups, or in the caller's transaction. */
import { ExecutionNotFound } from "@runhook/core/shared/Refusals"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../../clock/StoreClock.ts"
import * as GroupCommit from "../../engine/GroupCommit.ts"
import { isInTransaction } from "../../engine/Transactions.ts"
import { makeApplyMoves, type Moved } from "./ApplyMoves.ts"
import { judged, type Move } from "./Move.ts"
import { type ExecutionRef, PgRuns, type Verb } from "./PgRuns.ts"
import { readRuns } from "./ReadRuns.ts"

/** Moves in one group. */
const sizeMax = 64

/** Runs that one sweep moves at once. */
const concurrency = 128

export const layer = Layer.effect(
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

    const move = Effect.fnUntraced(function* <E>(options: Pick<Move, "at" | "audit" | "ref">, verb: Verb<E>) {
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

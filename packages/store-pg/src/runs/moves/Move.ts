/** A move of an execution as callers request it, and the step that it makes of a run. */
import type { Audit, AuditEntry } from "@runhook/core/audit/AuditEntry"
import type { Execution } from "@runhook/core/executions/Execution"
import type { Change, Run } from "@runhook/core/runs/Run"
import { ExecutionNotFound } from "@runhook/core/shared/Refusals"
import type { Place } from "@runhook/core/deliveries/queue/DeliveryInlets"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { StoredRun } from "../../executions/RunRow.ts"
import type { ExecutionRef, Verb } from "./PgRuns.ts"

/**
 * - `asked`: a caller waits for it, so it is tried again while others move the run.
 * - `swept`: a sweep will try again, so it yields. It ends runs that are out of time, and must not end one that a
 *   heartbeat, which changes nothing else, has just given more.
 */
export type Urgency = "asked" | "swept"

export interface Move {
  readonly ref: ExecutionRef
  readonly urgency: Urgency
  /** The caller's now. */
  readonly at: DateTime.Utc
  /** Judges the current run; undefined when the move refuses. */
  readonly judge: (run: Run | undefined, at: DateTime.Utc) => Change | undefined
  readonly audit?: Audit<[execution: Execution]> | undefined
}

/**
 * A move that is judged again while others move the run. The last verdict is its answer. The error for a missing run
 * is made only when needed: most moves never need it, and its stack costs more than the verdict.
 */
export const judged = <E>(
  fields: Omit<Move, "judge">,
  verb: Verb<E>
): { readonly move: Move; readonly verdict: Effect.Effect<Change, E | ExecutionNotFound> } => {
  const { id } = fields.ref
  let latest: Result.Result<Change, E> | undefined
  return {
    move: {
      ...fields,
      judge: (run, at) => {
        latest = run === undefined ? undefined : verb(run, at)
        return latest === undefined ? undefined : Result.getOrUndefined(latest)
      }
    },
    verdict: Effect.suspend((): Effect.Effect<Change, E | ExecutionNotFound> =>
      latest === undefined ? Effect.fail(new ExecutionNotFound({ id })) : Effect.fromResult(latest)
    )
  }
}

/** What a move stores of a run. */
export interface Step {
  readonly move: Move
  readonly before: StoredRun
  readonly change: Change
  /** The moment for which it was judged. */
  readonly at: DateTime.Utc
  readonly audit: AuditEntry | undefined
  /** Whether endpoints are yet to be told of it, once that is known. */
  hasListeners?: boolean
  /** The place reserved for its event, if any. */
  readonly place?: Place | undefined
}

/** A move of an execution, as the store is asked for it, and the step that it makes of a run. */
import type { Audit, AuditEntry } from "@runhook/core/domain/audit/AuditEntry"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import type { AccountId, ExecutionId } from "@runhook/core/domain/Ids"
import type { Change, Run } from "@runhook/core/domain/run/Run"
import { ExecutionNotFound } from "@runhook/core/ports/ExecutionStore"
import type { Place } from "@runhook/core/runtime/DeliveryInlets"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { StoredRun } from "../executions/RunRow.ts"

/** Names one execution of an account. */
export interface ExecutionRef {
  readonly accountId: AccountId
  readonly id: ExecutionId
}

/** A pure move of the core, of a run at a moment. */
export type Verb<E> = (run: Run, at: DateTime.Utc) => Result.Result<Change, E>

/**
 * - `asked`: somebody waits for it, so it is made however many others come in between.
 * - `swept`: it comes again by itself, so it gives way. It ends what ran out of time, and must not
 *   end what a heartbeat, which changes nothing else, has given more of it.
 */
export type Urgency = "asked" | "swept"

export interface Move {
  readonly ref: ExecutionRef
  readonly urgency: Urgency
  /** What the caller takes for now. */
  readonly at: DateTime.Utc
  /** What the move makes of the run as it is; undefined when it refuses. */
  readonly judge: (run: Run | undefined, at: DateTime.Utc) => Change | undefined
  readonly audit?: Audit<[execution: Execution]> | undefined
}

/**
 * A move that is judged, again and again while others come in between. The last verdict is its answer.
 * The error of one that is not there is made when it is asked for: most moves never need it, and its
 * stack takes longer than the verdict.
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

/** What a move makes of a run, to be stored. */
export interface Step {
  readonly move: Move
  readonly before: StoredRun
  readonly change: Change
  /** The moment for which it was judged. */
  readonly at: DateTime.Utc
  readonly audit: AuditEntry | undefined
  /** What keeps a place for its event, if something does. */
  readonly place?: Place | undefined
}

/** Runs in PostgreSQL, as the stores read and move them. */
import type { Audit } from "@runhook/core/audit/AuditEntry"
import type { Execution } from "@runhook/core/executions/Execution"
import type { Change, Run } from "@runhook/core/runs/Run"
import type { AccountId, ExecutionId } from "@runhook/core/shared/Ids"
import type { ExecutionNotFound } from "@runhook/core/shared/Refusals"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import type { TimeSql } from "../../clock/StoreClock.ts"
import type { StoredRun } from "../../executions/RunRow.ts"

/** Names one execution of an account. */
export interface ExecutionRef {
  readonly accountId: AccountId
  readonly id: ExecutionId
}

/** A pure move of the core, of a run at a moment. */
export type Verb<E> = (run: Run, at: DateTime.Utc) => Result.Result<Change, E>

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
>()("@runhook/store-pg/runs/moves/PgRuns") {}

/** Applies the pure moves of the core to stored runs: one move, one turn. */
import type { AuditEvent } from "@runhook/core/domain/AuditEntry"
import type { Execution } from "@runhook/core/domain/Execution"
import { EventId, type AccountId, type ExecutionId, newId } from "@runhook/core/domain/Ids"
import { deliveryOf } from "@runhook/core/domain/Outbox"
import type { Change, Run } from "@runhook/core/domain/Run"
import { ExecutionNotFound } from "@runhook/core/ports/ExecutionStore"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makeAudited, type Note } from "./Audited.ts"
import { MemoryDatabase, type Tables } from "./MemoryDatabase.ts"

/** Names one execution of an account. */
export interface ExecutionRef {
  readonly accountId: AccountId
  readonly id: ExecutionId
}

/** The run, if it is one of the account's. */
export const findRun = (
  tables: Tables,
  { accountId, id }: ExecutionRef
): Result.Result<Run, ExecutionNotFound> => {
  const run = tables.runs.get(id)
  return run?.execution.accountId === accountId
    ? Result.succeed(run)
    : Result.fail(new ExecutionNotFound({ id }))
}

/** Stores what a move did: the run and, when it has an event, its delivery. */
const commit = (tables: Tables, change: Change, eventId: EventId): Change => {
  tables.runs.put(change.run)
  const delivery = deliveryOf(change, eventId)
  if (delivery !== null) tables.deliveries.put(delivery)
  return { ...change, deliveryId: delivery?.id }
}

/** The ways to change runs, over the database of the context. */
export const makeMoves = Effect.gen(function* () {
  const tables = yield* MemoryDatabase
  const random = yield* SecureRandom
  const audited = yield* makeAudited
  // Made before the turn, also for the moves that turn out to have no event.
  const nextEventId = Effect.provideService(newId(EventId), SecureRandom, random)

  /** Computes a change from the tables as they are and stores it, with whatever else `body` answers. */
  const change = <A extends { readonly change: Change }, E>(
    body: (note: Note) => Result.Result<A, E>
  ): Effect.Effect<A, E> =>
    Effect.flatMap(nextEventId, (eventId) =>
      audited((note) =>
        Result.map(body(note), (done) => ({ ...done, change: commit(tables, done.change, eventId) }))
      )
    )

  /** Moves one run. */
  const move = <E>(
    ref: ExecutionRef,
    step: (run: Run) => Result.Result<Change, E>
  ): Effect.Effect<Change, E | ExecutionNotFound> =>
    Effect.map(
      change(() => Result.map(Result.flatMap(findRun(tables, ref), step), (done) => ({ change: done }))),
      (done) => done.change
    )

  /** Moves one run on behalf of whoever asks for it, and notes what changed. */
  const intervene = <E>(
    ref: ExecutionRef,
    step: (run: Run) => Result.Result<Change, E>,
    event: (execution: Execution) => AuditEvent
  ): Effect.Effect<Change, E | ExecutionNotFound> =>
    Effect.flatMap(nextEventId, (eventId) =>
      audited((note) =>
        Result.map(Result.flatMap(findRun(tables, ref), step), (done) => {
          if (done.changed) note(event(done.run.execution))
          return commit(tables, done, eventId)
        })
      )
    )

  return { change, intervene, move }
})

/** Applies the pure moves of the core to stored runs: one move, one turn. */
import type { Audited } from "@runhook/core/audit/AuditEntry"
import type { Execution } from "@runhook/core/executions/Execution"
import { deliveryOf } from "@runhook/core/deliveries/Outbox"
import { EventId, type AccountId, type ExecutionId, newId } from "@runhook/core/shared/Ids"
import { checkScope, type Scoped } from "@runhook/core/keys/KeyScope"
import { ExecutionNotFound, type OutOfScope } from "@runhook/core/shared/Refusals"
import type { Change, Run } from "@runhook/core/runs/Run"
import { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makeAudited, type Note } from "../../audit/Audited.ts"
import { storeNew } from "../../deliveries/queue/StoreNew.ts"
import { noteForEndpoints } from "../../endpoints/FanOut.ts"
import { MemoryDatabase, type Tables } from "../../MemoryDatabase.ts"

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
const commit = (
  tables: Tables,
  inlets: DeliveryInlets["Service"],
  change: Change,
  newEventId: () => EventId
): Change => {
  const { run } = change
  tables.runs.put(run)
  const delivery = change.event === null ? null : deliveryOf(change, newEventId())
  const hasListeners = noteForEndpoints(tables, change)
  if (delivery === null) return { ...change, deliveryId: undefined, hasListeners }
  const stored = { ...change, deliveryId: delivery.id }
  const { createdAt: at } = delivery
  const isHandedOver = storeNew(tables, { at, delivery, place: inlets.placeFor(stored), stored })
  return { ...stored, isHandedOver, hasListeners }
}

/** The ways to change runs, over the database of the context. */
export const makeMoves = Effect.gen(function* () {
  const tables = yield* MemoryDatabase
  const inlets = yield* DeliveryInlets
  const random = yield* SecureRandom
  const audited = yield* makeAudited
  const nextEventId = Effect.provideService(newId(EventId), SecureRandom, random)
  /** Makes ids within a turn. */
  const newEventIds = Effect.map(
    Effect.context<never>(),
    (context) => () => Effect.runSyncWith(context)(nextEventId)
  )

  /** Computes a change from the current tables and stores it; answers it with the rest of what `body` answers. */
  const change = <A extends { readonly change: Change }, E>(
    body: (note: Note) => Result.Result<A, E>
  ): Effect.Effect<A, E> =>
    Effect.flatMap(newEventIds, (newEventId) =>
      audited((note) =>
        Result.map(body(note), (done) => ({
          ...done,
          change: commit(tables, inlets, done.change, newEventId)
        }))
      )
    )

  /** Stores as many changes as the body asks for, in one turn. */
  const several = Effect.fnUntraced(function* <A, E>(
    body: (store: (change: Change) => Change, note: Note) => Result.Result<A, E>
  ) {
    const runSync = Effect.runSyncWith(yield* Effect.context<never>())
    return yield* audited((note) =>
      body((step) => commit(tables, inlets, step, () => runSync(nextEventId)), note)
    )
  })

  /** Moves one run. */
  const move = <E>(
    ref: ExecutionRef,
    step: (run: Run) => Result.Result<Change, E>
  ): Effect.Effect<Change, E | ExecutionNotFound> =>
    Effect.map(
      change(() => Result.map(Result.flatMap(findRun(tables, ref), step), (done) => ({ change: done }))),
      (done) => done.change
    )

  /** Moves one run for the current caller, if it is in their scope, and notes what changed. */
  const intervene = <E>(
    { audit, ...ref }: ExecutionRef & Scoped & Pick<Audited<[execution: Execution]>, "audit">,
    step: (run: Run) => Result.Result<Change, E>
  ): Effect.Effect<Change, E | ExecutionNotFound | OutOfScope> =>
    Effect.flatMap(newEventIds, (newEventId) =>
      audited((note) =>
        Result.gen(function* () {
          const run = yield* findRun(tables, ref)
          yield* checkScope(ref, run.execution)
          const done = yield* step(run)
          if (done.changed) note(audit?.(done.run.execution))
          return commit(tables, inlets, done, newEventId)
        })
      )
    )

  return { change, intervene, move, several }
})

/**
 * Moves runs by compare-and-set: reads a run, lets the core's pure move judge it, and stores the difference unless
 * someone else has moved the run meanwhile. In that case it reads again. Nothing is locked while the process thinks.
 */
import { AuditEntryId, EventId, newId } from "@runhook/core/shared/Ids"
import type { Change } from "@runhook/core/runs/Run"
import { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Answering, Group } from "../../engine/GroupCommit.ts"
import { DatabaseNow } from "../../clock/DatabaseNow.ts"
import { nowKnown, nowOf, StoreClock } from "../../clock/StoreClock.ts"
import { timed } from "../../connections/Deadline.ts"
import type { StoredRun } from "../../executions/RunRow.ts"
import { defectOf, inSavepoint, retryLostConnection } from "../../sql/SqlErrors.ts"
import { CachedRuns } from "./CachedRuns.ts"
import { extendLeases } from "./ExtendLeases.ts"
import type { Move, Step } from "./Move.ts"
import { readRuns } from "./ReadRuns.ts"
import { makeStoreSteps, type StepOutcome } from "./StepOutcomes.ts"
import type { Locked } from "./StoreMoves.ts"

/** Tries of a move on a run that others move meanwhile. */
const triesMax = 20

/** Moves that wait for locks at once: each occupies a connection. */
const waitingMax = 4

/** The outcome of a move: its change, or undefined if it was refused (the move knows why) or yielded. */
export type Moved = Change | undefined

type Fault = SqlError | Schema.SchemaError

/** A move of several in the caller's transaction, one of which may be passed over. */
type Joining = Effect.Effect<Moved | "failed", Fault>

/** What a move answers about a run that it does not change. */
interface Judged {
  readonly answer: Moved
  readonly before: StoredRun | undefined
}

export const makeApplyMoves = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* StoreClock
  const random = yield* SecureRandom
  const scope = yield* Effect.scope
  const nextEventId = Effect.provideService(newId(EventId), SecureRandom, random)
  const nextAuditId = Effect.provideService(newId(AuditEntryId), SecureRandom, random)
  const now = new DatabaseNow()
  const remembered = new CachedRuns()
  // After a failover the new server may have lost commits, and have reached the same revision differently.
  const storing = makeStoreSteps(sql, now, {
    inlets: yield* DeliveryInlets,
    onLost: () => remembered.clear()
  })
  const waiting = yield* Semaphore.make(waitingMax)

  const read = Effect.fnUntraced(function* (bucket: number, moves: ReadonlyArray<Move>) {
    const ids = moves.map(({ ref }) => ref.id)
    const found = yield* retryLostConnection(readRuns(sql, bucket, ids))
    if (found.runs.size > 0) now.note(found.now)
    return found
  })

  /** The step of a move on a run, with what the store adds to it. */
  const stepOf = Effect.fnUntraced(function* (
    move: Move,
    before: StoredRun,
    change: Change,
    at: DateTime.Utc
  ) {
    const named = change.event === null ? change : { ...change, deliveryId: yield* nextEventId }
    const entry = move.audit?.(change.run.execution)
    const audit = entry && { ...entry, id: yield* nextAuditId }
    return { move, before, change: named, at, audit } satisfies Step
  })

  /** The step of a move on a cached run. Only a change is certain to be checked when it is stored. */
  const guess = (move: Move): Effect.Effect<Step | undefined> => {
    const before = move.urgency === "swept" ? undefined : remembered.get(move.ref)
    const at = nowKnown(clock, { at: move.at, known: now.current })
    if (before === undefined || at === undefined) return Effect.succeed(undefined)
    const change = move.judge(before.run, at)
    return change?.changed === true ? stepOf(move, before, change, at) : Effect.succeed(undefined)
  }

  /** Judges a run that was just read: a step, or an answer. */
  const judge = Effect.fnUntraced(function* (
    move: Move,
    found: StoredRun | undefined,
    readAt: number
  ): Effect.fn.Return<Step | Judged> {
    const before = found?.run.execution.accountId === move.ref.accountId ? found : undefined
    const at = nowOf(clock, { at: move.at, read: readAt })
    const change = move.judge(before?.run, at)
    return before !== undefined && change?.changed === true
      ? yield* stepOf(move, before, change, at)
      : { answer: change, before }
  })

  /** The change of a stored step. */
  const changeOf = ({ change, hasListeners }: Step, outcome: StepOutcome): Change => ({
    ...change,
    ...(hasListeners && { hasListeners }),
    ...(typeof outcome === "object" && { isHandedOver: true })
  })

  const after = ({ before, change }: Step): StoredRun => ({
    ...before,
    run: change.run,
    slot: change.run.lease === null ? null : before.slot
  })

  /** Whether a move without a change has still extended the lease, as a repeated start does. */
  const extendsLease = ({ answer, before }: Judged): boolean =>
    answer !== undefined && answer.run.lease !== null && answer.run.lease !== before?.run.lease

  /** The answer of a move without a change, with the stored lease. */
  const withLease = Effect.fnUntraced(function* (bucket: number, judged: Judged) {
    const { answer, before } = judged
    if (answer === undefined || before === undefined || !extendsLease(judged)) return answer
    const { execution, lease, revision } = answer.run
    const extended = yield* extendLeases(sql, bucket, [{ id: execution.id, revision, lease }])
    return extended.size > 0 ? answer : { ...answer, run: { ...answer.run, lease: before.run.lease } }
  })

  /** Moves one run, which others may be moving, until it has an answer. */
  const moveAlone = Effect.fnUntraced(function* (
    bucket: number,
    move: Move,
    store: (step: Step, locked: Locked) => Effect.Effect<StepOutcome, Fault>
  ) {
    let missed: number | undefined
    for (let tries = 0; tries < triesMax; tries++) {
      const found = yield* read(bucket, [move])
      const judged = yield* judge(move, found.runs.get(move.ref.id), found.now)
      if ("answer" in judged) return yield* withLease(bucket, judged)
      // If it was missed although its revision is the same, it is locked.
      const { revision } = judged.before.run
      const outcome = yield* store(judged, missed === revision ? "wait" : "skip")
      if (outcome !== "missed") return changeOf(judged, outcome)
      missed = revision
    }
    return yield* Effect.die(
      new Error(`Execution ${move.ref.id} changed ${triesMax} times while it was to move`)
    )
  })

  /** Stores one step in a transaction of its own. */
  const storeOne = (bucket: number) => (step: Step, locked: Locked) => {
    const storingOne = storing.storeAll(locked, { bucket, items: [step] })
    return Effect.flatMap(locked === "wait" ? waiting.withPermits(1)(storingOne) : storingOne, (stored) => {
      const exit = stored.get(step) ?? Exit.succeed("missed" as const)
      if (Exit.isSuccess(exit) && exit.value !== "missed") remembered.note(after(step))
      return exit
    })
  }

  /** Continues a move alone, so that the others of its group need not wait. */
  const goOn = (bucket: number, move: Move, answer: Answering<Move, Moved>) =>
    timed(moveAlone(bucket, move, storeOne(bucket))).pipe(
      Effect.catch((fault: Fault) => Effect.die(defectOf(fault))),
      Effect.onExit((exit) => Effect.sync(() => answer(move, exit))),
      Effect.exit,
      Effect.uninterruptible,
      Effect.forkIn(scope)
    )

  /** Stores steps together and answers each; a missed move continues alone. */
  const storeAll = Effect.fnUntraced(function* (
    bucket: number,
    steps: ReadonlyArray<Step>,
    answer: Answering<Move, Moved>
  ) {
    for (const [step, exit] of yield* storing.storeAll("skip", { bucket, items: steps })) {
      const { move } = step
      remembered.drop(move.ref.id)
      if (Exit.isFailure(exit)) answer(move, Exit.failCause(exit.cause))
      else if (exit.value !== "missed") {
        remembered.note(after(step))
        answer(move, Exit.succeed(changeOf(step, exit.value)))
      } else if (move.urgency === "swept") answer(move, Exit.succeed(undefined))
      else yield* goOn(bucket, move, answer)
    }
  })

  /** Moves a group of runs of a bucket, each at most once. */
  const moveAll = Effect.fnUntraced(
    function* ({ bucket, items }: Group<Move>, answer: Answering<Move, Moved>) {
      const guesses = yield* Effect.forEach(items, guess)
      const steps = guesses.filter((step) => step !== undefined)
      const unknown = items.filter((_, place) => guesses[place] === undefined)
      if (unknown.length > 0) {
        // If one run cannot be read, only its caller should fail: then each continues alone.
        const found = yield* Effect.catchIf(
          read(bucket, unknown),
          Schema.isSchemaError,
          () => Effect.undefined
        )
        for (const move of unknown) {
          if (found === undefined) {
            yield* goOn(bucket, move, answer)
            continue
          }
          const judged = yield* judge(move, found.runs.get(move.ref.id), found.now)
          if (!("answer" in judged)) steps.push(judged)
          else if (extendsLease(judged)) yield* goOn(bucket, move, answer)
          else answer(move, Exit.succeed(judged.answer))
        }
      }
      if (steps.length > 0) yield* storeAll(bucket, steps, answer)
    },
    Effect.catch((fault: Fault) => Effect.die(defectOf(fault)))
  )

  /** Moves one run in the caller's transaction, and caches nothing, since it may be rolled back. */
  const moveJoined = (bucket: number, move: Move) =>
    moveAlone(bucket, move, (step) =>
      Effect.map(storing.store("wait", { bucket, items: [step] }), (stored) => stored.get(step) ?? "missed")
    )

  /** Moves a run in the caller's transaction, as it was found. */
  const moveFound = Effect.fnUntraced(function* (
    bucket: number,
    move: Move,
    found: Effect.Success<ReturnType<typeof readRuns>> | undefined
  ) {
    if (found === undefined) return yield* moveJoined(bucket, move)
    const judged = yield* judge(move, found.runs.get(move.ref.id), found.now)
    if ("answer" in judged) return judged.answer
    const stored = yield* storing.store("wait", { bucket, items: [judged] })
    const outcome = stored.get(judged) ?? "missed"
    return outcome === "missed" ? yield* moveJoined(bucket, move) : changeOf(judged, outcome)
  })

  /**
   * Moves runs in the caller's transaction: reads them together, and stores one after the other in their order, so
   * that those who do the same never wait crosswise. If one cannot be moved, each is tried by itself, and that one
   * passed over.
   */
  const moveEachJoined = Effect.fnUntraced(function* (bucket: number, moves: ReadonlyArray<Move>) {
    const found = yield* Effect.catchIf(read(bucket, moves), Schema.isSchemaError, () => Effect.undefined)
    const moving = (move: Move): Joining => moveFound(bucket, move, found)
    const orPassedOver = (move: Move) =>
      inSavepoint(sql, moving(move), (cause) =>
        Effect.logError(`Execution ${move.ref.id} cannot be moved, and is passed over`, cause).pipe(
          Effect.as("failed" as const)
        )
      )
    return yield* inSavepoint(sql, Effect.forEach(moves, moving), () => Effect.forEach(moves, orPassedOver))
  })

  return { moveAll, moveEachJoined, moveJoined, remember: (stored: StoredRun) => remembered.note(stored) }
})

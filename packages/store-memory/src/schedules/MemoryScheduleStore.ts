/** Schedules in memory. */
import { Execution } from "@runhook/core/executions/Execution"
import { isTerminal } from "@runhook/core/executions/ExecutionStatus"
import type { ScheduleId } from "@runhook/core/shared/Ids"
import { itemBytes } from "@runhook/core/shared/Page"
import { stop } from "@runhook/core/runs/EndMoves"
import { accepted, type Change, type Run } from "@runhook/core/runs/Run"
import { type Came, cancelledForNext, overlapLookedAt, Schedule } from "@runhook/core/schedules/Schedule"
import {
  type Fired,
  type Firing,
  type ScheduledCreate,
  ScheduleLimitReached,
  ScheduleNotFound,
  type ScheduleRef,
  ScheduleStore
} from "@runhook/core/schedules/ScheduleStore"
import { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { withinLimits, withinSeats } from "../executions/MemoryExecutionStore.ts"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"
import { makeMoves } from "../runs/moves/Moves.ts"
import { isTakenAtOnce } from "../runs/HandOver.ts"
import { behind, firstOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

const stored = storedAs(Schedule)
const storedExecution = storedAs(Execution)

const byWake = Order.mapInput(DateTime.Order, ({ wakeAt }: Awake) => wakeAt)

interface Awake extends Schedule {
  readonly wakeAt: DateTime.Utc
}

const isAwake = (schedule: Schedule): schedule is Awake => schedule.wakeAt !== null

export const layer = Layer.effect(
  ScheduleStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { schedules } = tables
    const inlets = yield* WorkInlets
    const audited = yield* makeAudited
    const { several } = yield* makeMoves

    const find = ({ accountId, id }: ScheduleRef) => {
      const schedule = schedules.get(id)
      return schedule?.accountId === accountId
        ? Result.succeed(schedule)
        : Result.fail(new ScheduleNotFound({ id }))
    }

    const put = (schedule: Schedule): Schedule => {
      const kept = stored(schedule)
      schedules.set(kept.id, kept)
      return kept
    }

    const awake = () => Array.filter(schedules.values(), isAwake)

    /** What comes of it, after what is cancelled for it. */
    const create = (
      { schedule, at }: Firing,
      { accountMaxLive, execution, keyMaxLive, refused }: ScheduledCreate,
      store: (change: Change) => Change
    ): { readonly came: Came; readonly changes: ReadonlyArray<Change> } => {
      const unfinished = schedule.overlap === "allow" ? [] : unfinishedOf(tables, schedule.id)
      if (unfinished.length > 0 && schedule.overlap === "skip")
        return { came: { outcome: "skipped" }, changes: [] }
      const since = execution.createdAt
      const cancelled = unfinished.map((run) => store(stop(run, { ...cancelledForNext, at, since })))
      const created = accepted(storedExecution(execution))
      const limits = Result.andThen(withinLimits(tables, { execution, accountMaxLive, keyMaxLive }), () =>
        withinSeats(tables, created.run)
      )
      if (Result.isFailure(limits)) {
        const came: Came = { outcome: "refused", error: refused(limits.failure), isLast: false }
        return { came, changes: cancelled }
      }
      const change = store(created)
      const isTaken = isTakenAtOnce(tables, inlets, change.run)
      return {
        came: { outcome: "created", executionId: execution.id },
        changes: [...cancelled, { ...change, isTaken }]
      }
    }

    const fire = (firing: Firing) =>
      several((store, note) => {
        const { becomes, schedule, wanted } = firing
        if (schedules.get(schedule.id)?.revision !== schedule.revision) return Result.succeed(undefined)
        const { came, changes } =
          "outcome" in wanted ? { came: wanted, changes: [] } : create(firing, wanted, store)
        note(firing.audit?.(schedule, came))
        const fired: Fired = { schedule: put(becomes(came)), came, changes }
        return Result.succeed(fired)
      })

    return ScheduleStore.of({
      create: (schedule, { audit, limit }) =>
        audited((note) => {
          const own = Iterable.filter(schedules.values(), ({ accountId }) => accountId === schedule.accountId)
          if (Iterable.size(own) >= limit) return Result.fail(new ScheduleLimitReached({ limit }))
          note(audit?.(schedule))
          put(schedule)
          return Result.void
        }),

      get: (ref) => transaction(() => find(ref)),

      list: (accountId, page) =>
        Effect.sync(() => {
          const own = Iterable.filter(schedules.values(), (schedule) => schedule.accountId === accountId)
          return firstOf(behind(own, page), page, ({ request }) => itemBytes + request.bytes)
        }),

      change: (ref, { audit, change }) =>
        audited((note) =>
          Result.flatMap(find(ref), (before) =>
            Result.map(change(before), (after) => {
              note(audit?.(before, after))
              return put(after)
            })
          )
        ),

      remove: (ref, { audit, check = () => Result.void } = {}) =>
        audited((note) =>
          Result.gen(function* () {
            const schedule = yield* find(ref)
            yield* check(schedule)
            note(audit?.(schedule))
            schedules.delete(schedule.id)
          })
        ),

      nextWakeAt: () => Effect.sync(() => Array.sort(awake(), byWake)[0]?.wakeAt ?? null),

      claimDue: ({ at, limit, until }) =>
        Effect.sync(() => {
          const due = Array.sort(
            awake().filter(({ wakeAt }) => DateTime.isLessThanOrEqualTo(wakeAt, at)),
            byWake
          )
          return inTurns(due)
            .slice(0, limit)
            .map((schedule) => put({ ...schedule, wakeAt: until, revision: schedule.revision + 1 }))
        }),

      fire: (firings) =>
        Effect.map(Effect.forEach(firings, fire), (fired) => fired.filter((each) => each !== undefined))
    })
  })
)

/** The first of each account, then the second of each, and so on. */
const inTurns = (due: ReadonlyArray<Schedule>): ReadonlyArray<Schedule> => {
  const turns = new Map<string, number>()
  const placed = due.map((schedule) => {
    const turn = turns.get(schedule.accountId) ?? 0
    turns.set(schedule.accountId, turn + 1)
    return { schedule, turn }
  })
  return placed.toSorted((one, other) => one.turn - other.turn).map(({ schedule }) => schedule)
}

/** The unfinished among the latest executions of a schedule. */
const unfinishedOf = (tables: Tables, id: ScheduleId): ReadonlyArray<Run> => {
  const schedule = tables.schedules.get(id)
  if (schedule === undefined) return []
  const own = Iterable.filter(
    tables.runs.index.ofAccount.of(schedule.accountId),
    ({ execution }) => execution.scheduleId === id
  )
  return [...Iterable.take(own, overlapLookedAt)].filter(({ execution }) => !isTerminal(execution.status))
}

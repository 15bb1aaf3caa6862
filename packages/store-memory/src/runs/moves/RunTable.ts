/** The table of runs with its indexes: every lookup costs what it finds, not what is stored. */
import { seatRank } from "@runhook/core/runs/seats/Concurrency"
import type { Execution } from "@runhook/core/executions/Execution"
import { isLive } from "@runhook/core/executions/ExecutionStatus"
import { type HistoryEvent, historyEventOf } from "@runhook/core/executions/history/HistoryEvent"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import { deadline, inputEnd, leaseEnd, startEnd } from "@runhook/core/runs/DueTimes"
import type { Run } from "@runhook/core/runs/Run"
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"
import { RunIndex } from "./RunIndex.ts"
import { Timetable } from "./Timetable.ts"

const byId: Order.Order<Run> = Order.mapInput(Order.String, ({ execution }) => execution.id)

const newestFirst = Order.flip(byId)

const byDueAt: Order.Order<Run> = Order.combine(
  Order.mapInput(DateTime.Order, ({ dueAt }) => dueAt),
  byId
)

/** The order of claims: highest priority first, then due time, then creation. */
export const byRank: Order.Order<Run> = Order.combine(
  Order.mapInput(Order.flip(Order.Number), ({ execution }) => execution.priority),
  byDueAt
)

/** A key that only some runs have. */
const where =
  <Key>(isIn: (run: Run) => boolean, keyOf: (run: Run) => Key) =>
  (run: Run): Key | null =>
    isIn(run) ? keyOf(run) : null

const accountOf = ({ execution }: Run) => execution.accountId
const apiKeyOf = ({ execution }: Run) => execution.apiKeyId
const agentOf = ({ execution }: Run) => execution.agentId
const isUnfinished = ({ execution }: Run): boolean => isLive(execution.status)
const isUnfinishedOfKey = (run: Run): boolean => run.execution.concurrency !== null && isUnfinished(run)
const isLeased = ({ lease }: Run): boolean => lease !== null
const isWaiting = ({ execution, lease }: Run): boolean => execution.status === "queued" && lease === null

/** Executions that have seats, by account and concurrency key. */
type Seats = Map<string, Set<ExecutionId>>

const seatKey = ({ accountId, concurrency }: Pick<Execution, "accountId" | "concurrency">): string =>
  `${accountId} ${concurrency?.key}`

/** The key of an index that has one group. */
const all = "all"

const hasSeat = (seats: Seats, { execution }: Run): boolean =>
  execution.concurrency === null || seats.get(seatKey(execution))?.has(execution.id) === true

/** The order in which executions of a key get its seats. */
const bySeatRank: Order.Order<Run> = Order.combine(
  Order.mapInput(Order.Number, ({ execution }: Run) => seatRank(execution)),
  byRank
)

const makeIndexes = (seats: Seats) => {
  const isReady = (run: Run): boolean => isWaiting(run) && hasSeat(seats, run)
  const isUnseated = (run: Run): boolean => isWaiting(run) && !hasSeat(seats, run)
  return {
    ofAccount: new RunIndex({ keyOf: accountOf, order: newestFirst }),
    unfinishedOfAccount: new RunIndex({ keyOf: where(isUnfinished, accountOf), order: newestFirst }),
    unfinishedOfKey: new RunIndex({ keyOf: where(isUnfinished, apiKeyOf), order: newestFirst }),
    unfinishedOfAgent: new RunIndex({ keyOf: where(isUnfinished, agentOf), order: newestFirst }),
    leasedOfAgent: new RunIndex({ keyOf: where(isLeased, agentOf), order: newestFirst }),
    leasedOfSession: new RunIndex({ keyOf: ({ lease }) => lease && lease.sessionId, order: newestFirst }),
    /** What waits for an agent, due or deferred, in the order of claims. */
    waitingOfAgent: new RunIndex({ keyOf: where(isReady, agentOf), order: byRank }),
    /** The same by due time. */
    dueTimesOfAgent: new RunIndex({ keyOf: where(isReady, agentOf), order: byDueAt }),
    /** What waits for a seat, due or deferred, in the order in which seats are given. */
    unseatedOfKey: new RunIndex({
      keyOf: where(isUnseated, ({ execution }) => seatKey(execution)),
      order: bySeatRank
    }),
    /** The same of all keys, by due time. */
    unseated: new RunIndex({ keyOf: where(isUnseated, () => all), order: byDueAt }),
    /** All that are unfinished of a concurrency key. */
    unfinishedOfSeats: new RunIndex({
      keyOf: where(isUnfinishedOfKey, ({ execution }) => seatKey(execution)),
      order: newestFirst
    }),
    unseatedOfAgent: new RunIndex({ keyOf: where(isUnseated, agentOf), order: byRank }),

    leaseEnds: new Timetable(leaseEnd),
    deadlines: new Timetable(deadline),
    inputEnds: new Timetable(inputEnd),
    startEnds: new Timetable(startEnd)
  }
}

export class RunTable {
  readonly #runs = new Map<ExecutionId, Run>()
  readonly #events = new Map<ExecutionId, ReadonlyArray<HistoryEvent>>()
  readonly #seats: Seats = new Map()
  /** Keys that may have a seat to give, each by an execution of it. */
  readonly seatNews = new Map<string, Run>()
  /** Runs for whose sake their keys are looked at again, and when. */
  readonly seatLooks = new Map<string, { readonly run: Run; readonly at: DateTime.Utc }>()
  /** When seats were last given. */
  seatsGivenAt = DateTime.makeUnsafe(0)
  readonly index = makeIndexes(this.#seats)
  readonly #indexes = Object.values(this.index)

  get(id: ExecutionId): Run | undefined {
    return this.#runs.get(id)
  }

  /** All of them. */
  values(): Iterable<Run> {
    return this.#runs.values()
  }

  /** The history of a run, oldest first: the event with number n is at index n - 1. */
  eventsOf(id: ExecutionId): ReadonlyArray<HistoryEvent> {
    return this.#events.get(id) ?? []
  }

  /** Forgets a run. */
  delete(run: Run): void {
    const { id } = run.execution
    for (const index of this.#indexes) index.replace(run, undefined)
    this.#runs.delete(id)
    this.#events.delete(id)
  }

  /** The executions that have seats of the key of a run. */
  seatsOf({ execution }: Run): ReadonlySet<ExecutionId> {
    return this.#seats.get(seatKey(execution)) ?? new Set()
  }

  /** What waits for a seat of the key of a run, in order. */
  unseatedWith({ execution }: Run): Iterable<Run> {
    return this.index.unseatedOfKey.of(seatKey(execution))
  }

  /** What is unfinished of the key of a run and older than it, newest first. */
  unfinishedBefore(run: Run): Iterable<Run> {
    const ofKey = this.index.unfinishedOfSeats.of(seatKey(run.execution))
    return ofKey.from((other) => newestFirst(other, run) <= 0)
  }

  hasSeat(run: Run): boolean {
    return hasSeat(this.#seats, run)
  }

  /** What waits for a seat and falls due after a moment, earliest first. */
  unseatedAfter(at: DateTime.Utc): Iterable<Run> {
    return this.index.unseated.of(all).from(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, at))
  }

  /** Notes that the key of a run may have a seat to give. */
  noteSeats(run: Run): void {
    this.seatNews.set(seatKey(run.execution), run)
  }

  /** Has the key of a run looked at again. */
  lookAgain(run: Run, at: DateTime.Utc): void {
    this.seatLooks.set(seatKey(run.execution), { run, at })
  }

  /** Gives a waiting run a seat of its key. */
  seat(run: Run): void {
    for (const index of this.#indexes) index.replace(run, undefined)
    const key = seatKey(run.execution)
    this.#seats.set(key, (this.#seats.get(key) ?? new Set()).add(run.execution.id))
    for (const index of this.#indexes) index.replace(undefined, run)
  }

  #leaveSeat({ execution }: Run): void {
    const key = seatKey(execution)
    const others = this.#seats.get(key)
    others?.delete(execution.id)
    if (others?.size === 0) this.#seats.delete(key)
  }

  /** Stores a run as it now is, new or changed, and the event of its change. */
  put(run: Run): void {
    const { id } = run.execution
    const before = this.#runs.get(id)
    for (const index of this.#indexes) index.replace(before, undefined)
    if (run.execution.concurrency !== null && run.lease === null && run.revision !== before?.revision) {
      this.#leaveSeat(run)
      this.noteSeats(run)
    }
    for (const index of this.#indexes) index.replace(undefined, run)
    this.#runs.set(id, run)
    if (run.revision !== before?.revision)
      this.#events.set(id, [...this.eventsOf(id), historyEventOf(before, run)])
  }
}

/** The table of runs with its indexes: every lookup costs what it finds, not what is stored. */
import { isLive } from "@runhook/core/domain/execution/ExecutionStatus"
import { type HistoryEvent, historyEventOf } from "@runhook/core/domain/execution/HistoryEvent"
import type { ExecutionId } from "@runhook/core/domain/Ids"
import { deadline, inputEnd, leaseEnd, startEnd } from "@runhook/core/domain/run/DueTimes"
import type { Run } from "@runhook/core/domain/run/Run"
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
const isLeased = ({ lease }: Run): boolean => lease !== null
const isWaiting = ({ execution, lease }: Run): boolean => execution.status === "queued" && lease === null

const makeIndexes = () => ({
  ofAccount: new RunIndex({ keyOf: accountOf, order: newestFirst }),
  unfinishedOfAccount: new RunIndex({ keyOf: where(isUnfinished, accountOf), order: newestFirst }),
  unfinishedOfKey: new RunIndex({ keyOf: where(isUnfinished, apiKeyOf), order: newestFirst }),
  unfinishedOfAgent: new RunIndex({ keyOf: where(isUnfinished, agentOf), order: newestFirst }),
  leasedOfAgent: new RunIndex({ keyOf: where(isLeased, agentOf), order: newestFirst }),
  leasedOfSession: new RunIndex({ keyOf: ({ lease }) => lease && lease.sessionId, order: newestFirst }),
  /** What waits for an agent, due or deferred, in the order of claims. */
  waitingOfAgent: new RunIndex({ keyOf: where(isWaiting, agentOf), order: byRank }),
  /** The same by due time. */
  dueTimesOfAgent: new RunIndex({ keyOf: where(isWaiting, agentOf), order: byDueAt }),

  leaseEnds: new Timetable(leaseEnd),
  deadlines: new Timetable(deadline),
  inputEnds: new Timetable(inputEnd),
  startEnds: new Timetable(startEnd)
})

export class RunTable {
  readonly #runs = new Map<ExecutionId, Run>()
  readonly #events = new Map<ExecutionId, ReadonlyArray<HistoryEvent>>()
  readonly index = makeIndexes()
  readonly #indexes = Object.values(this.index)

  get(id: ExecutionId): Run | undefined {
    return this.#runs.get(id)
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

  /** Stores a run as it now is, new or changed, and the event of its change. */
  put(run: Run): void {
    const { id } = run.execution
    const before = this.#runs.get(id)
    for (const index of this.#indexes) index.replace(before, run)
    this.#runs.set(id, run)
    if (run.revision !== before?.revision)
      this.#events.set(id, [...this.eventsOf(id), historyEventOf(before, run)])
  }
}

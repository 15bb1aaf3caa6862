/** What people want to know about an execution: what happened, what it waits for, how far it is. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Task, TaskVersion } from "../../catalog/Task.ts"
import type { DeliverySummary } from "../../deliveries/Delivery.ts"
import type { ListedExecution } from "../Execution.ts"
import { isTerminal } from "../ExecutionStatus.ts"
import { explain as explanationOf } from "./Explanation.ts"
import { detailOf } from "./HistoryEvent.ts"
import type { AccountId, ExecutionId } from "../../shared/Ids.ts"
import { pageSizeMax } from "../../shared/Page.ts"
import { AgentStore } from "../../catalog/AgentStore.ts"
import { HistoryStore } from "./HistoryStore.ts"
import { RunStore } from "../../runs/RunStore.ts"
import { TaskStore } from "../../catalog/TaskStore.ts"
import type { WaitingKey } from "../../engine/LongPoll.ts"
import { makeWatchedExecutions, type Waiting } from "../WatchedExecutions.ts"
import type { ExecutionRef } from "../Executions.ts"
import { makeFollowHistory } from "./FollowHistory.ts"
import { spanned, useCase } from "../../engine/UseCase.ts"

/** What comes behind a number, and how much of it. */
interface Behind extends ExecutionRef {
  readonly after: number
  readonly limit: number
}

/** An execution for a reader: with the names behind its ids, and the state of its callbacks. */
export interface ExecutionView {
  readonly execution: ListedExecution
  /** Null once the agent was removed. */
  readonly agentName: string | null
  readonly task: Pick<Task, "name" | "slug">
  readonly versionNumber: TaskVersion["number"]
  readonly callbacks: ReadonlyArray<DeliverySummary>
}

export class History extends Context.Service<History>()("@runhook/core/executions/history/History", {
  make: Effect.gen(function* () {
    const agents = yield* AgentStore
    const runs = yield* RunStore
    const store = yield* HistoryStore
    const tasks = yield* TaskStore
    const watched = yield* makeWatchedExecutions
    const followHistory = yield* makeFollowHistory(watched)

    const viewOf = Effect.fnUntraced(function* (
      execution: ListedExecution,
      deliveries: ReadonlyMap<ExecutionId, ReadonlyArray<DeliverySummary>>
    ) {
      const { accountId, agentId, id, taskVersionId } = execution
      const agentName = yield* agents.find(accountId, agentId).pipe(
        Effect.map(({ name }) => name),
        Effect.orElseSucceed(() => null)
      )
      const { task, version } = yield* tasks
        .resolveVersion({ accountId, versionId: taskVersionId })
        .pipe(Effect.orDie)
      const view: ExecutionView = {
        execution,
        agentName,
        task,
        versionNumber: version.number,
        callbacks: deliveries.get(id) ?? []
      }
      return view
    })

    const eventsOf = Effect.fnUntraced(function* ({ after, limit, ...ref }: Behind) {
      const seen = yield* store.events({ ...ref, after, limit })
      const run = yield* runs.get(ref)
      const isFinished = isTerminal(run.execution.status)
      return {
        found: seen.map((event) => ({ ...event, data: detailOf(event, run) })),
        isFinal: seen.length > 0 || isFinished,
        isLast: isFinished && run.revision <= (seen.at(-1)?.sequence ?? after),
        revision: run.revision,
        // The run was read later: there may be more events than were seen.
        knows: { after: Math.min(after, run.revision) }
      }
    })

    /** The run is read first: what its end has behind it is there when the lines are read. */
    const linesOf = Effect.fnUntraced(function* ({ after, limit, ...ref }: Behind) {
      const run = yield* runs.get(ref)
      const found = yield* store.lines({ ...ref, after, limit })
      const isFinished = isTerminal(run.execution.status)
      return {
        found,
        isFinal: found.length > 0 || isFinished,
        isLast: isFinished && found.length < limit,
        revision: run.revision,
        knows: { after: run.revision, afterLine: after }
      }
    })

    /**
     * The events after the number `after`, at most `limit`. If there are none yet it
     * waits for some, unless the execution is finished.
     */
    const events = <E = never>({ key, wait, ...behind }: Behind & Waiting<E>) =>
      watched.awaitLook(behind, { key, wait, look: eventsOf(behind) }).pipe(spanned("History.events"))

    /** The lines of its log, in the same way. */
    const lines = <E = never>({ key, wait, ...behind }: Behind & Waiting<E>) =>
      watched.awaitLook(behind, { key, wait, look: linesOf(behind) }).pipe(spanned("History.lines"))

    type Follow = ExecutionRef & { readonly after: number; readonly key: WaitingKey<unknown> | null }

    /** Follows the events after the number `after`, until the scope ends. */
    const follow = ({ accountId, id, ...options }: Follow) =>
      followHistory({
        ...options,
        accountId,
        id,
        of: "events",
        look: (after) => eventsOf({ accountId, id, after, limit: pageSizeMax })
      }).pipe(spanned("History.follow"))

    /** Follows the lines of its log, in the same way. */
    const followLines = ({ accountId, id, ...options }: Follow) =>
      followHistory({
        ...options,
        accountId,
        id,
        of: "lines",
        look: (after) => linesOf({ accountId, id, after, limit: pageSizeMax })
      }).pipe(spanned("History.followLines"))

    /** Why it has not started. */
    const explain = useCase("History.explain")(function* (ref: ExecutionRef) {
      const at = yield* DateTime.now
      const run = yield* runs.get(ref)
      const { accountId, agentId } = run.execution
      const agent = yield* agents.get({ accountId, id: agentId, at }).pipe(Effect.orElseSucceed(() => null))
      const seatsTaken = yield* store.seatsTaken(ref)
      return explanationOf(run, { agent, ahead: yield* store.ahead({ ...ref, at }), seatsTaken, at })
    })

    /** Executions of one account for readers, in the given order. */
    const view = useCase("History.view")(function* (
      accountId: AccountId,
      executions: ReadonlyArray<ListedExecution>
    ) {
      const told = executions.filter(({ callbackUrl }) => callbackUrl !== null).map(({ id }) => id)
      const deliveries = told.length === 0 ? new Map() : yield* store.deliveriesOf({ accountId, ids: told })
      return yield* Effect.forEach(executions, (execution) => viewOf(execution, deliveries))
    })

    const progress = store.progress

    return { events, explain, follow, followLines, lines, progress, view }
  })
}) {
  static readonly layer = Layer.effect(History, History.make)
}

/** What may be tried with the ids of an account, in another's name, at what is kept of its executions. */
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { second } from "../Fixtures.ts"
import type { Attempt } from "./IsolationFixtures.ts"

const at = second(5)

export const ofHistory: Readonly<Record<string, Attempt>> = {
  "put an execution elsewhere in the queue": ({ run, stranger }) =>
    ExecutionStore.use((_) =>
      _.reschedule({ accountId: stranger, id: run.execution.id, change: { priority: 9 }, at })
    ),
  "read the history of an execution": ({ run, stranger }) =>
    HistoryStore.use((_) => _.events({ accountId: stranger, id: run.execution.id, after: 0, limit: 10 })),
  "say how far work is": ({ run, session, stranger }) =>
    HistoryStore.use((_) =>
      _.report({
        accountId: stranger,
        sessionId: session.id,
        reports: [
          { executionId: run.execution.id, epoch: run.execution.epoch, percent: 1, message: null, step: null }
        ],
        at
      })
    ),
  "read how far work is": ({ run, stranger }) =>
    HistoryStore.use((_) => _.progress({ accountId: stranger, id: run.execution.id })),
  "count what is ahead of an execution": ({ run, stranger }) =>
    HistoryStore.use((_) => _.ahead({ accountId: stranger, id: run.execution.id, at })),
  "list the callbacks of executions": ({ run, stranger }) =>
    HistoryStore.use((_) => _.deliveriesOf({ accountId: stranger, ids: [run.execution.id] }))
}

/** What every ExecutionStore lists of executions in all their statuses, of several tasks and agents. */
import { assert } from "@effect/vitest"
import type { Execution } from "@runhook/core/executions/Execution"
import { ExecutionStatus, isTerminal } from "@runhook/core/executions/ExecutionStatus"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import { type ExecutionFilter, ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAgent, makeTask, makeVersion } from "../catalog/CatalogFixtures.ts"
import { anyExecution, makeExecution, makeTenant, second, type Stores, type Tenant } from "../Fixtures.ts"
import { walk } from "../Paging.ts"
import { makeAskingRun, makeClaimedRun, makeStartedRun, writeTo } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const makeEnded = Effect.fnUntraced(function* (
  tenant: Tenant,
  outcome: Outcome,
  fields: Partial<Execution> = {}
) {
  const runs = yield* RunStore
  const { run } = yield* makeStartedRun(tenant, fields)
  yield* runs.finish({ ...writeTo(run, second(4)), outcome, fingerprint: outcome._tag })
})

/**
 * Executions of a task on an agent in all statuses, and in each way to be in
 * it. What waits comes last, or it would be claimed, and is among the oldest.
 */
const inAllStatuses = Effect.fnUntraced(function* (tenant: Tenant) {
  const executions = yield* ExecutionStore
  const failed: Outcome = { _tag: "Failed", message: "Broken", isRetryable: true }
  yield* makeClaimedRun(tenant)
  yield* makeStartedRun(tenant)
  yield* makeAskingRun(tenant)
  yield* makeAskingRun(tenant, { question: { mode: "release" } })
  yield* makeEnded(tenant, failed)
  yield* makeEnded(tenant, failed, { maxAttempts: 2 })
  yield* makeEnded(tenant, { _tag: "Completed", result: StoredJson.of({}) })
  yield* makeEnded(tenant, { _tag: "Cancelled", reason: "No longer needed" })
  yield* makeStartedRun(tenant)
  const { accountId, id } = yield* makeExecution(tenant)
  yield* executions.stop({ accountId, id, to: "aborted", reason: null, at: second(4) })
  yield* makeExecution(tenant, { createdAt: second(-1), status: "pending" })
  yield* makeExecution(tenant, { createdAt: second(-2), scheduledAt: second(3_600) })
  yield* makeExecution(tenant, { createdAt: second(-3) })
})

/** Each status, and what runs with and without what waits: a store may keep these together. */
const choices: ReadonlyArray<ReadonlyArray<ExecutionStatus>> = [
  ...ExecutionStatus.literals.map((status) => [status]),
  ["queued", "running"],
  ["queued", "error"],
  ["running", "awaiting_input"],
  ["completed", "error"],
  ExecutionStatus.literals.filter((status) => !isTerminal(status))
]

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ExecutionStore list by status", { layer, name }, (it) => {
    it.effect("shows on full pages what is in one of the statuses, of a task, of an agent and of both", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant({ capacity: 30 })
        const { accountId } = tenant
        const task = yield* makeTask(accountId)
        const other: Tenant = {
          ...tenant,
          taskId: task.id,
          taskVersionId: (yield* makeVersion(task)).id,
          agentId: (yield* makeAgent(accountId, { capacity: 30 })).id
        }
        yield* Effect.forEach([tenant, other, { ...tenant, agentId: other.agentId }], inAllStatuses)
        const walkBy = (filter: ExecutionFilter) =>
          walk({
            list: (page) => store.list(accountId, filter, page),
            idOf: ({ id }) => id,
            limit: 2
          })
        const all = yield* walkBy(anyExecution)
        const { agentId, taskId } = other
        const parts = [{}, { taskId }, { agentId }, { taskId: tenant.taskId, agentId }]

        for (const part of parts) {
          const ofPart = all.filter(
            (each) =>
              each.taskId === (part.taskId ?? each.taskId) && each.agentId === (part.agentId ?? each.agentId)
          )
          for (const statuses of choices) {
            const walked = yield* walkBy({ ...anyExecution, ...part, statuses })

            assert.deepStrictEqual(
              walked.map(({ id, status }) => ({ id, status })),
              ofPart
                .filter(({ status }) => statuses.includes(status))
                .map(({ id, status }) => ({ id, status })),
              `${statuses.join(" or ")} of ${Object.keys(part).join(" and ")}`
            )
          }
        }
      })
    )
  })

/** Does the work of tasks with their own `run`, as soon as it is due. */
import { AgentId, type TaskId } from "@runhook/core/shared/Ids"
import type { Run } from "@runhook/core/runs/Run"
import { Signals } from "@runhook/core/signals/Signals"
import { makeDefaults } from "@runhook/core/executions/params/ParamsDefaults"
import { MemoryDatabase } from "@runhook/store-memory/MemoryDatabase"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { BuiltInRunner } from "./BuiltInRunner.ts"
import type { FakeTask } from "./FakeTask.ts"
import type { Tenant } from "./Tenant.ts"

/** Longest wait of work that falls due by itself. */
const lookEvery = Duration.seconds(1)

export const make = Effect.fnUntraced(function* (
  runner: BuiltInRunner,
  { accountId, agentIds, taskIds }: Tenant,
  tasks: Readonly<Record<string, FakeTask>>
) {
  const signals = yield* Signals
  const tables = yield* MemoryDatabase
  const withDefaults = yield* makeDefaults
  const works = new Map<TaskId, FakeTask["run"]>(
    Object.entries(taskIds).map(([slug, id]) => [id, tasks[slug]?.run])
  )
  let underWay = 0

  /** The params as the work should see them. */
  const paramsOf = Effect.fnUntraced(function* (run: Run) {
    const { params, taskId, taskVersionId } = run.execution
    const task = tables.tasks.get(taskId)?.task
    const version = tables.taskVersions.get(taskVersionId)
    const filled = task && version && (yield* withDefaults({ run, task, version, checkpoint: null }))
    return (filled?.params ?? params).value
  })

  const perform = Effect.fnUntraced(
    function* (run: Run) {
      const { id, taskId } = run.execution
      const params = yield* paramsOf(run)
      const result = yield* Effect.tryPromise(async () => (await works.get(taskId)?.(params)) ?? null)
      // It may have been stopped meanwhile.
      if (runner.isRunning(id)) yield* runner.complete(id, result)
    },
    (work, { execution: { id } }) =>
      work.pipe(
        Effect.catch((failure) => (runner.isRunning(id) ? runner.fail(id, messageOf(failure)) : Effect.void)),
        Effect.ensuring(Effect.sync(() => (underWay -= 1)))
      )
  )

  const due = Effect.map(runner.due, (runs) =>
    runs.filter(({ execution: { taskId } }) => works.get(taskId) !== undefined)
  )

  const round = Effect.gen(function* () {
    for (const run of yield* due) {
      underWay += 1
      yield* Effect.forkScoped(perform(yield* runner.take(run)))
    }
  })

  return {
    /** Whether none is due or under way. */
    isOver: Effect.map(due, ({ length }) => length === 0 && underWay === 0),

    loop: Effect.gen(function* () {
      const woken = yield* signals.subscribe(
        Object.values(agentIds).map((id) => `work:${accountId}:${AgentId.make(id)}` as const)
      )
      return yield* Effect.forever(Effect.andThen(round, Effect.timeoutOption(woken, lookEvery)))
    })
  }
})

/** What the work has thrown, or why its result was refused. */
const messageOf = (failure: Error): string => {
  const { cause } = failure
  if (cause === undefined) return failure.message
  return cause instanceof Error ? cause.message : String(cause)
}

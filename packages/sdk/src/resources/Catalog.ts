/** The tasks and agents that the key may use. */
import type { Call } from "../call/Answer.ts"
import { type List, listOf } from "../call/List.ts"
import { pathOf } from "../call/Request.ts"
import type { Send } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type {
  Agent,
  PageQuery,
  ParamsSchema,
  Task,
  TaskDetail,
  TaskFilter,
  VersionQuery
} from "../wire/Integration.ts"

export const makeTasks = (send: Send) => ({
  /**
   * Tasks that the key may execute.
   *
   * @example
   * ```ts
   * for await (const { id, slug } of runhook.tasks.list()) console.log(id, slug)
   * ```
   */
  list: (filter?: TaskFilter, options?: CallOptions): List<Task> =>
    listOf(send, "/tasks", { filter, options }),

  /**
   * One task with its policies.
   *
   * @example
   * ```ts
   * const task = await runhook.tasks.get(id)
   * ```
   */
  get: (id: string, options?: CallOptions): Call<TaskDetail> =>
    send({ method: "GET", path: pathOf`/tasks/${id}` }, options),

  /**
   * The JSON Schema of a version's params; of the current version unless given.
   *
   * @example
   * ```ts
   * const { schema } = await runhook.tasks.paramsSchema(id, { version: "tag:stable" })
   * ```
   */
  paramsSchema: (id: string, { v, version }: VersionQuery = {}, options?: CallOptions): Call<ParamsSchema> =>
    send({ method: "GET", path: pathOf`/tasks/${id}/params-schema`, query: { v, version } }, options)
})

export type Tasks = ReturnType<typeof makeTasks>

export const makeAgents = (send: Send) => ({
  /**
   * Agents that the key may use.
   *
   * @example
   * ```ts
   * const [agent] = await runhook.agents.list().toArray({ limit: 1 })
   * ```
   */
  list: (filter?: PageQuery, options?: CallOptions): List<Agent> =>
    listOf(send, "/agents", { filter, options })
})

export type Agents = ReturnType<typeof makeAgents>

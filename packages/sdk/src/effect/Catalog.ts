/** The tasks and agents that the key may use. */
import type * as Effect from "effect/Effect"
import { pathOf } from "../call/Request.ts"
import type {
  Agent,
  PageQuery,
  ParamsSchema,
  Task,
  TaskDetail,
  TaskFilter,
  VersionQuery
} from "../wire/Integration.ts"
import type { RunhookError } from "./Errors.ts"
import { listOf } from "./List.ts"
import type { Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"

export const makeTasks = (send: Send) => {
  const { list, page } = listOf<Task, TaskFilter>(send, "/tasks")
  return {
    /** Streams the tasks that the key may execute. */
    list,

    /** One page of the tasks that the key may execute. */
    page,

    /** One task with its policies. */
    get: (id: string, options?: CallOptions): Effect.Effect<TaskDetail, RunhookError> =>
      send({ method: "GET", path: pathOf`/tasks/${id}` }, options),

    /** The JSON Schema of a version's params; of the current version unless given. */
    paramsSchema: (
      id: string,
      { v, version }: VersionQuery = {},
      options?: CallOptions
    ): Effect.Effect<ParamsSchema, RunhookError> =>
      send({ method: "GET", path: pathOf`/tasks/${id}/params-schema`, query: { v, version } }, options)
  }
}

export type Tasks = ReturnType<typeof makeTasks>

export const makeAgents = (send: Send) => {
  const { list, page } = listOf<Agent, PageQuery>(send, "/agents")
  return {
    /** Streams the agents that the key may use. */
    list,

    /** One page of the agents that the key may use. */
    page
  }
}

export type Agents = ReturnType<typeof makeAgents>

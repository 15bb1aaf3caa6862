/** The tasks that the key may execute. */
import type { ParamsSchema, Task, TaskDetail, TaskFilter, VersionQuery } from "../wire/Integration.ts"
import type { Client, ClientTypes } from "./Client.ts"
import { get, list, pathOf } from "./Describe.ts"

export const tasks = <T extends ClientTypes>(client: Client<T>) => ({
  /**
   * Tasks that the key may execute.
   *
   * @example
   * ```ts
   * for await (const { id, slug } of runhook.tasks.list()) console.log(id, slug)
   * ```
   */
  list: (filter?: TaskFilter, options?: T["options"]) => client.list<Task>(list("/tasks", filter, options)),

  /**
   * One task with its policies.
   *
   * @example
   * ```ts
   * const task = await runhook.tasks.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) => client.call<TaskDetail>(get(pathOf`/tasks/${id}`, options)),

  /**
   * The JSON Schema of a version's params; of the current version unless given.
   *
   * @example
   * ```ts
   * const { schema } = await runhook.tasks.paramsSchema(id, { version: "tag:stable" })
   * ```
   */
  paramsSchema: (id: string, query?: VersionQuery, options?: T["options"]) =>
    client.call<ParamsSchema>(get(pathOf`/tasks/${id}/params-schema`, options, query))
})

/** Tasks and their versions. */
import type {
  CreateTask,
  PublishVersion,
  TaskVersionDetail,
  UpdateTask,
  VersionPublished,
  VersionRef,
  WouldPublish
} from "../../wire/Admin.ts"
import type { PageQuery, Task, TaskDetail, TaskVersion } from "../../wire/Integration.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { get, idempotentPost, list, patch, pathOf, post, put, remove } from "../Describe.ts"

export const adminTasks = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes a task. It can be executed once a version of it is published.
   *
   * @example
   * ```ts
   * const { id } = await account.tasks.create({ slug: "print", name: "Print a page" })
   * ```
   */
  create: (body: CreateTask, options?: T["options"]) =>
    client.call<TaskDetail>(post("/tasks", body, options)),

  /**
   * The tasks of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { id, slug } of account.tasks.list()) console.log(id, slug)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) => client.list<Task>(list("/tasks", filter, options)),

  /**
   * One task with its policies.
   *
   * @example
   * ```ts
   * const { retry, timeout_seconds } = await account.tasks.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) => client.call<TaskDetail>(get(pathOf`/tasks/${id}`, options)),

  /**
   * Changes what the body names. Versions never change.
   *
   * @example
   * ```ts
   * await account.tasks.update(id, { enabled: false })
   * ```
   */
  update: (id: string, body: UpdateTask, options?: T["options"]) =>
    client.call<TaskDetail>(patch(pathOf`/tasks/${id}`, body, options)),

  /**
   * Publishes a version, and makes it current unless told otherwise.
   *
   * @example
   * ```ts
   * const { number } = await account.tasks.publish(id, { params_schema: { type: "object" }, tags: ["stable"] })
   * ```
   */
  publish: (id: string, body: PublishVersion, options?: T["options"]) =>
    client.call<VersionPublished>(post(pathOf`/tasks/${id}/versions`, body, options)),

  /**
   * Checks the schemas of a version and publishes nothing. Fails with an `InvalidParamsError` where they cannot be used.
   *
   * @example
   * ```ts
   * await account.tasks.wouldPublish(id, { params_schema: { type: "object" } })
   * ```
   */
  wouldPublish: (id: string, body: PublishVersion, options?: T["options"]) =>
    client.call<WouldPublish>({
      ...idempotentPost(pathOf`/tasks/${id}/versions`, body, options),
      query: { validate_only: true }
    }),

  /**
   * One version, with its schemas.
   *
   * @example
   * ```ts
   * const { params_schema } = await account.tasks.version({ task_id, version_id })
   * ```
   */
  version: (
    { task_id, version_id }: { readonly task_id: string; readonly version_id: string },
    options?: T["options"]
  ) => client.call<TaskVersionDetail>(get(pathOf`/tasks/${task_id}/versions/${version_id}`, options)),

  /**
   * The versions of a task, newest first.
   *
   * @example
   * ```ts
   * for await (const { number, tags } of account.tasks.versions(id)) console.log(number, tags)
   * ```
   */
  versions: (id: string, filter?: PageQuery, options?: T["options"]) =>
    client.list<TaskVersion>(list(pathOf`/tasks/${id}/versions`, filter, options)),

  /**
   * Points a tag at a version.
   *
   * @example
   * ```ts
   * await account.tasks.moveTag({ task_id, name: "stable" }, { version_id })
   * ```
   */
  moveTag: (
    { name, task_id }: { readonly task_id: string; readonly name: string },
    body: VersionRef,
    options?: T["options"]
  ) => client.call<TaskDetail>(put(pathOf`/tasks/${task_id}/tags/${name}`, body, options)),

  /**
   * Removes a tag; the version that it named stays.
   *
   * @example
   * ```ts
   * await account.tasks.removeTag({ task_id, name: "stable" })
   * ```
   */
  removeTag: (
    { name, task_id }: { readonly task_id: string; readonly name: string },
    options?: T["options"]
  ) => client.nothing(remove(pathOf`/tasks/${task_id}/tags/${name}`, options)),

  /**
   * Makes this the version of executions that name none.
   *
   * @example
   * ```ts
   * await account.tasks.setCurrent(id, { version_id })
   * ```
   */
  setCurrent: (id: string, body: VersionRef, options?: T["options"]) =>
    client.call<TaskDetail>(put(pathOf`/tasks/${id}/current`, body, options))
})

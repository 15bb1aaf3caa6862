/** The agents and tasks of an account, as operators keep them. */
import { pathOf } from "../call/Request.ts"
import type { CallOptions } from "../call/Settings.ts"
import type {
  AgentDetail,
  CreateAgent,
  CreateTask,
  PublishVersion,
  RunnerSession,
  RunnerSessionDrained,
  TaskVersionDetail,
  UpdateAgent,
  UpdateTask,
  VersionPublished,
  VersionRef,
  WouldPublish
} from "../wire/Admin.ts"
import type { Agent, PageQuery, Task, TaskDetail, TaskVersion } from "../wire/Integration.ts"
import type { Rooted } from "./Rooted.ts"

export const makeAgents = ({ get, list, patch, post, remove }: Rooted) => ({
  /** Makes an agent, on which executions run as soon as a runner serves it. */
  create: (body: CreateAgent, options?: CallOptions) => post<AgentDetail>("/agents", body, options),

  /** The agents of the account, newest first, and how busy they are. */
  list: (filter?: PageQuery, options?: CallOptions) => list<Agent>("/agents", filter, options),

  get: (id: string, options?: CallOptions) => get<AgentDetail>(pathOf`/agents/${id}`, options),

  /** Changes what the body names: name, labels, capacity, or whether it is paused or disabled. */
  update: (id: string, body: UpdateAgent, options?: CallOptions) =>
    patch<AgentDetail>(pathOf`/agents/${id}`, body, options),

  /** Removes an agent that has no unfinished executions. */
  remove: (id: string, options?: CallOptions) => remove(pathOf`/agents/${id}`, options),

  /** The runner processes that serve the agent, newest first. */
  sessions: (id: string, filter?: PageQuery, options?: CallOptions) =>
    list<RunnerSession>(pathOf`/agents/${id}/sessions`, filter, options)
})

export const makeSessions = ({ list, settle }: Rooted) => ({
  /** The runner processes of the account, newest first. */
  list: (filter?: PageQuery, options?: CallOptions) => list<RunnerSession>("/sessions", filter, options),

  /** Gives a runner process no more work, and tells it to finish what it has and leave. */
  drain: (id: string, options?: CallOptions) =>
    settle<RunnerSessionDrained>(pathOf`/sessions/${id}/drain`, undefined, options)
})

export const makeTasks = ({ get, list, patch, post, put, remove, settle }: Rooted) => ({
  /** Makes a task. It can be executed once a version of it is published. */
  create: (body: CreateTask, options?: CallOptions) => post<TaskDetail>("/tasks", body, options),

  /** The tasks of the account, newest first. */
  list: (filter?: PageQuery, options?: CallOptions) => list<Task>("/tasks", filter, options),

  get: (id: string, options?: CallOptions) => get<TaskDetail>(pathOf`/tasks/${id}`, options),

  /** Changes what the body names. Versions never change. */
  update: (id: string, body: UpdateTask, options?: CallOptions) =>
    patch<TaskDetail>(pathOf`/tasks/${id}`, body, options),

  /** Publishes a version, and makes it current unless told otherwise. */
  publish: (id: string, body: PublishVersion, options?: CallOptions) =>
    post<VersionPublished>(pathOf`/tasks/${id}/versions`, body, options),

  /** Checks the schemas of a version and publishes nothing; rejects with `InvalidParamsError` where they are not usable. */
  wouldPublish: (id: string, body: PublishVersion, options?: CallOptions) =>
    settle<WouldPublish>(`${pathOf`/tasks/${id}/versions`}?validate_only=true`, body, options),

  /** One version, with its schemas. */
  version: (
    { task_id, version_id }: { readonly task_id: string; readonly version_id: string },
    options?: CallOptions
  ) => get<TaskVersionDetail>(pathOf`/tasks/${task_id}/versions/${version_id}`, options),

  /** The versions of a task, newest first. */
  versions: (id: string, filter?: PageQuery, options?: CallOptions) =>
    list<TaskVersion>(pathOf`/tasks/${id}/versions`, filter, options),

  /** Lets a tag name a version. */
  moveTag: (
    { name, task_id }: { readonly task_id: string; readonly name: string },
    body: VersionRef,
    options?: CallOptions
  ) => put<TaskDetail>(pathOf`/tasks/${task_id}/tags/${name}`, body, options),

  /** Removes a tag; the version that it named stays. */
  removeTag: (
    { name, task_id }: { readonly task_id: string; readonly name: string },
    options?: CallOptions
  ) => remove(pathOf`/tasks/${task_id}/tags/${name}`, options),

  /** Lets executions that name no version run this one. */
  setCurrent: (id: string, body: VersionRef, options?: CallOptions) =>
    put<TaskDetail>(pathOf`/tasks/${id}/current`, body, options)
})

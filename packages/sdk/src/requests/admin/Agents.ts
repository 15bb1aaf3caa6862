/** Agents, and the runner processes that serve them. */
import type {
  AgentDetail,
  CreateAgent,
  RunnerSession,
  RunnerSessionDrained,
  UpdateAgent
} from "../../wire/Admin.ts"
import type { Agent, PageQuery } from "../../wire/Integration.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { get, idempotentPost, list, patch, pathOf, post, remove } from "../Describe.ts"

export const agents = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes an agent, on which executions run as soon as a runner serves it.
   *
   * @example
   * ```ts
   * const { id } = await account.agents.create({ name: "Portal", capacity: 4 })
   * ```
   */
  create: (body: CreateAgent, options?: T["options"]) =>
    client.call<AgentDetail>(post("/agents", body, options)),

  /**
   * The agents of the account, newest first, and how busy they are.
   *
   * @example
   * ```ts
   * for await (const { name, busy, capacity } of account.agents.list()) console.log(name, busy, capacity)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) => client.list<Agent>(list("/agents", filter, options)),

  /**
   * One agent, and how busy it is.
   *
   * @example
   * ```ts
   * const { status, runners } = await account.agents.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) => client.call<AgentDetail>(get(pathOf`/agents/${id}`, options)),

  /**
   * Changes what the body names: name, labels, capacity, or whether it is paused or disabled.
   *
   * @example
   * ```ts
   * await account.agents.update(id, { state: "paused" })
   * ```
   */
  update: (id: string, body: UpdateAgent, options?: T["options"]) =>
    client.call<AgentDetail>(patch(pathOf`/agents/${id}`, body, options)),

  /**
   * Removes an agent that has no unfinished executions.
   *
   * @example
   * ```ts
   * await account.agents.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) => client.nothing(remove(pathOf`/agents/${id}`, options)),

  /**
   * The runner processes that serve the agent, newest first.
   *
   * @example
   * ```ts
   * const [newest] = await account.agents.sessions(id).toArray({ limit: 1 })
   * ```
   */
  sessions: (id: string, filter?: PageQuery, options?: T["options"]) =>
    client.list<RunnerSession>(list(pathOf`/agents/${id}/sessions`, filter, options))
})

export const sessions = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The runner processes of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { runner_name, status } of account.sessions.list()) console.log(runner_name, status)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<RunnerSession>(list("/sessions", filter, options)),

  /**
   * Gives a runner process no more work, and tells it to finish what it has and leave.
   *
   * @example
   * ```ts
   * await account.sessions.drain(id)
   * ```
   */
  drain: (id: string, options?: T["options"]) =>
    client.call<RunnerSessionDrained>(idempotentPost(pathOf`/sessions/${id}/drain`, undefined, options))
})

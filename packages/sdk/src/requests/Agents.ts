/** The agents that the key may use. */
import type { Agent, PageQuery } from "../wire/Integration.ts"
import type { Client, ClientTypes } from "./Client.ts"
import { list } from "./Describe.ts"

export const agents = <T extends ClientTypes>(client: Client<T>) => ({
  /**
   * Agents that the key may use.
   *
   * @example
   * ```ts
   * const [agent] = await runhook.agents.list().toArray({ limit: 1 })
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) => client.list<Agent>(list("/agents", filter, options))
})

/** Every call of the integration API. */
import type { Me } from "../wire/Integration.ts"
import { agents } from "./Agents.ts"
import { alerts } from "./Alerts.ts"
import type { ClientTypes, IntegrationClient, Made } from "./Client.ts"
import { deliveries } from "./Deliveries.ts"
import { get } from "./Describe.ts"
import { executions } from "./Executions.ts"
import { files } from "./Files.ts"
import { schedules } from "./Schedules.ts"
import { tasks } from "./Tasks.ts"
import { webhooks } from "./Webhooks.ts"

/** The calls of the integration API, by noun. */
export interface IntegrationCalls<T extends ClientTypes> {
  /** Queue executions, follow them, stop them. */
  readonly executions: ReturnType<typeof executions<T>>
  /** Executions that are created again and again. */
  readonly schedules: ReturnType<typeof schedules<T>>
  /** Files that runs captured. */
  readonly files: ReturnType<typeof files<T>>
  /** The tasks that the key may execute. */
  readonly tasks: ReturnType<typeof tasks<T>>
  /** The agents that the key may use. */
  readonly agents: ReturnType<typeof agents<T>>
  /** Try out a webhook receiver, and keep standing endpoints. */
  readonly webhooks: ReturnType<typeof webhooks<T>>
  /** Webhook deliveries, attempt by attempt. */
  readonly deliveries: ReturnType<typeof deliveries<T>>
  /** What is wrong in the account, and who is told of it. */
  readonly alerts: ReturnType<typeof alerts<T>>
  /**
   * The calling key: what it may do, and its limits beside what it has of them.
   *
   * @example
   * ```ts
   * const { live, max_live } = await runhook.me()
   * ```
   */
  readonly me: (options?: T["options"]) => Made<T, "call", Me>
}

export const integration = <T extends ClientTypes>(client: IntegrationClient<T>): IntegrationCalls<T> => ({
  executions: executions(client),
  schedules: schedules<T>(client),
  files: files(client),
  tasks: tasks(client),
  agents: agents(client),
  webhooks: webhooks<T>(client),
  deliveries: deliveries(client),
  alerts: alerts(client),
  me: (options) => client.call<Me>(get("/me", options))
})

/** Every call of the admin API below `/accounts/{account_id}`. */
import type { AdminCreateSchedule, AdminTestWebhook, AdminUpdateSchedule } from "../../wire/Admin.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { alerts } from "../Alerts.ts"
import { replayCalls } from "../Replays.ts"
import { schedules } from "../Schedules.ts"
import { endpointCalls } from "../Endpoints.ts"
import { webhookCalls } from "../Webhooks.ts"
import { agents, sessions } from "./Agents.ts"
import { audit } from "./Audit.ts"
import { adminDeliveries } from "./Deliveries.ts"
import { adminExecutions } from "./Executions.ts"
import { keys, runnerKeys } from "./Keys.ts"
import { consoleLinks, consoleSessions } from "./People.ts"
import { adminTasks } from "./Tasks.ts"
import { usage } from "./Usage.ts"

/** The calls for one account, by noun. */
export interface AccountCalls<T extends ClientTypes> {
  /** The keys of integrations. */
  readonly keys: ReturnType<typeof keys<T>>
  /** The keys of runner processes. */
  readonly runnerKeys: ReturnType<typeof runnerKeys<T>>
  /** Links that sign people in to the Integrations page. */
  readonly consoleLinks: ReturnType<typeof consoleLinks<T>>
  /** Who is signed in to the Integrations page. */
  readonly consoleSessions: ReturnType<typeof consoleSessions<T>>
  /** Agents, on which executions run. */
  readonly agents: ReturnType<typeof agents<T>>
  /** Runner processes. */
  readonly sessions: ReturnType<typeof sessions<T>>
  /** Tasks and their versions. */
  readonly tasks: ReturnType<typeof adminTasks<T>>
  /** The executions of all keys. */
  readonly executions: ReturnType<typeof adminExecutions<T>>
  /** Executions that are created again and again. */
  readonly schedules: ReturnType<typeof schedules<T, AdminCreateSchedule, AdminUpdateSchedule>>
  /** Webhook deliveries, attempt by attempt. */
  readonly deliveries: ReturnType<typeof adminDeliveries<T>>
  /** Replays of many deliveries. */
  readonly replays: ReturnType<typeof replayCalls<T>>
  /** Try out a webhook receiver: the event is signed with the secret of a key. */
  readonly webhooks: ReturnType<typeof webhookCalls<T, AdminTestWebhook>>
  /** Standing endpoints: receivers of the events of many executions. */
  readonly endpoints: ReturnType<typeof endpointCalls<T>>
  /** What is wrong in the account, and who is told of it. */
  readonly alerts: ReturnType<typeof alerts<T>>
  /** Who changed what, and when. */
  readonly audit: ReturnType<typeof audit<T>>
  /** Usage: counts, receivers, current numbers. */
  readonly usage: ReturnType<typeof usage<T>>
}

export const account = <T extends ClientTypes>(client: AdminClient<T>): AccountCalls<T> => ({
  keys: keys(client),
  runnerKeys: runnerKeys(client),
  consoleLinks: consoleLinks(client),
  consoleSessions: consoleSessions(client),
  agents: agents(client),
  sessions: sessions(client),
  tasks: adminTasks(client),
  executions: adminExecutions(client),
  schedules: schedules<T, AdminCreateSchedule, AdminUpdateSchedule>(client),
  deliveries: adminDeliveries(client),
  replays: replayCalls(client),
  webhooks: webhookCalls<T, AdminTestWebhook>(client),
  endpoints: endpointCalls(client),
  alerts: alerts(client),
  audit: audit(client),
  usage: usage(client)
})

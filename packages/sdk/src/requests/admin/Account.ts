/** Every call of the admin API below `/accounts/{account_id}`, by noun. */
import type { AdminCancelFilter } from "../../wire/Admin.ts"
import * as Calls from "../Account.generated.ts"
import { cancels } from "../Cancels.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"

/** The calls for one account, by noun. */
export interface AccountCalls<T extends ClientTypes> {
  /** The keys of integrations. */
  readonly keys: ReturnType<typeof Calls.keys<T>>
  /** The keys of runner processes. */
  readonly runnerKeys: ReturnType<typeof Calls.runnerKeys<T>>
  /** Links that sign people in to the Integrations page. */
  readonly consoleLinks: ReturnType<typeof Calls.consoleLinks<T>>
  /** Who is signed in to the Integrations page. */
  readonly consoleSessions: ReturnType<typeof Calls.consoleSessions<T>>
  /** Agents, on which executions run. */
  readonly agents: ReturnType<typeof Calls.agents<T>>
  /** Runner processes. */
  readonly sessions: ReturnType<typeof Calls.sessions<T>>
  /** Tasks and their versions. */
  readonly tasks: ReturnType<typeof Calls.tasks<T>>
  /** The executions of all keys. */
  readonly executions: ReturnType<typeof Calls.executions<T>> &
    ReturnType<typeof cancels<T, AdminCancelFilter>> & {
      /** The jobs that `cancelAll` begins. */
      readonly jobs: ReturnType<typeof Calls.executionJobs<T>>
    }
  /** Executions that are created again and again. */
  readonly schedules: ReturnType<typeof Calls.schedules<T>>
  /** Webhook deliveries, attempt by attempt. */
  readonly deliveries: ReturnType<typeof Calls.deliveries<T>>
  /** Replays of many deliveries. */
  readonly replays: ReturnType<typeof Calls.replays<T>>
  /** Try out a webhook receiver: the event is signed with the secret of a key. */
  readonly webhooks: ReturnType<typeof Calls.webhooks<T>>
  /** Standing endpoints: receivers of the events of many executions. */
  readonly endpoints: ReturnType<typeof Calls.endpoints<T>>
  /** What is wrong in the account, and who is told of it. */
  readonly alerts: ReturnType<typeof Calls.alerts<T>> & {
    /** Who is told of alerts. */
    readonly targets: ReturnType<typeof Calls.alertTargets<T>>
  }
  /** Who changed what, and when. */
  readonly audit: ReturnType<typeof Calls.audit<T>>
  /** Usage: counts, receivers, current numbers. */
  readonly usage: ReturnType<typeof Calls.usage<T>>
}

export const account = <T extends ClientTypes>(client: AdminClient<T>): AccountCalls<T> => ({
  keys: Calls.keys(client),
  runnerKeys: Calls.runnerKeys(client),
  consoleLinks: Calls.consoleLinks(client),
  consoleSessions: Calls.consoleSessions(client),
  agents: Calls.agents(client),
  sessions: Calls.sessions(client),
  tasks: Calls.tasks(client),
  executions: {
    ...Calls.executions(client),
    ...cancels<T, AdminCancelFilter>(client, Calls.executionsCancelAll),
    jobs: Calls.executionJobs(client)
  },
  schedules: Calls.schedules(client),
  deliveries: Calls.deliveries(client),
  replays: Calls.replays(client),
  webhooks: Calls.webhooks(client),
  endpoints: Calls.endpoints(client),
  alerts: { ...Calls.alerts(client), targets: Calls.alertTargets(client) },
  audit: Calls.audit(client),
  usage: Calls.usage(client)
})

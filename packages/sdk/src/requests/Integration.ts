/** Every call of the integration API: those of the contract, and those that wait, follow and open files. */
import type { CancelFilter, CancelJob, Replay } from "../wire/Integration.ts"
import { cancels } from "./Cancels.ts"
import type { ClientTypes, IntegrationClient } from "./Client.ts"
import { endpointMessages } from "./EndpointMessages.ts"
import { executionWaits } from "./ExecutionWaits.ts"
import { files } from "./Files.ts"
import {
  agents,
  alerts,
  alertTargets,
  calls,
  deliveries,
  deliveryReplays,
  deliveryReplaysGet,
  executionJobs,
  executionJobsGet,
  executions,
  executionsCancelAll,
  schedules,
  tasks,
  webhookEndpoints,
  webhooks
} from "./Integration.generated.ts"
import { jobWaits } from "./JobWaits.ts"

type Of<Calls extends (...args: ReadonlyArray<never>) => unknown> = ReturnType<Calls>

/** The calls of the integration API, by noun. */
export interface IntegrationCalls<T extends ClientTypes> {
  /** Queue executions, follow them, stop them. */
  readonly executions: Of<typeof executions<T>> &
    Of<typeof executionWaits<T>> &
    Of<typeof cancels<T, CancelFilter>> & {
      /** The jobs that `cancelAll` begins. */
      readonly jobs: Of<typeof executionJobs<T>> & Of<typeof jobWaits<T, CancelJob>>
    }
  /** Executions that are created again and again. */
  readonly schedules: Of<typeof schedules<T>>
  /** Files that runs captured. */
  readonly files: Of<typeof files<T>>
  /** The tasks that the key may execute. */
  readonly tasks: Of<typeof tasks<T>>
  /** The agents that the key may use. */
  readonly agents: Of<typeof agents<T>>
  /** Try out a webhook receiver, and keep standing endpoints. */
  readonly webhooks: Of<typeof webhooks<T>> & {
    /** Standing endpoints: receivers of the events of many executions. */
    readonly endpoints: Of<typeof webhookEndpoints<T>> & Of<typeof endpointMessages<T>>
  }
  /** Webhook deliveries, attempt by attempt. */
  readonly deliveries: Of<typeof deliveries<T>> & {
    /** The jobs that `replayAll` begins. */
    readonly replays: Of<typeof deliveryReplays<T>> & Of<typeof jobWaits<T, Replay>>
  }
  /** What is wrong in the account, and who is told of it. */
  readonly alerts: Of<typeof alerts<T>> & {
    /** Who is told of alerts. */
    readonly targets: Of<typeof alertTargets<T>>
  }
  /**
   * The calling key: what it may do, and its limits beside what it has of them.
   *
   * @example
   * ```ts
   * const { live, max_live } = await runhook.me()
   * ```
   */
  readonly me: Of<typeof calls<T>>["me"]
}

export const integration = <T extends ClientTypes>(client: IntegrationClient<T>): IntegrationCalls<T> => ({
  executions: {
    ...executions(client),
    ...executionWaits(client),
    ...cancels<T, CancelFilter>(client, executionsCancelAll),
    jobs: { ...executionJobs(client), ...jobWaits(client, "Job", executionJobsGet<T["waitOptions"]>) }
  },
  schedules: schedules(client),
  files: files(client),
  tasks: tasks(client),
  agents: agents(client),
  webhooks: {
    ...webhooks(client),
    endpoints: { ...webhookEndpoints(client), ...endpointMessages(client) }
  },
  deliveries: {
    ...deliveries(client),
    replays: {
      ...deliveryReplays(client),
      ...jobWaits(client, "Replay", deliveryReplaysGet<T["waitOptions"]>)
    }
  },
  alerts: { ...alerts(client), targets: alertTargets(client) },
  ...calls(client)
})

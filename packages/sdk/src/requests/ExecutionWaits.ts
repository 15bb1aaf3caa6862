/** Wait for executions, and follow them. */
import type {
  CreateExecution,
  ExecutionCreated,
  ExecutionDetail,
  ExecutionHistoryEvent,
  ExecutionLogLine,
  ExecutionReplayed
} from "../wire/Integration.ts"
import type { OfTask, TaskSlug, WithParams } from "../wire/TaskTypes.ts"
import type { ClientTypes, IntegrationClient } from "./Client.ts"
import { isFinished } from "./Finished.ts"
import type { FollowFields } from "./Follow.ts"
import { executionsCreate, executionsEvents, executionsGet, executionsLogs } from "./Integration.generated.ts"
import type { CreateFields } from "./Options.ts"
import type { Wait } from "./Request.ts"

/** How long the service is asked to wait each time, in seconds: less than the usual time-out of proxies. */
const waitSeconds = 25

export interface WaitFields {
  /** `input` also ends the wait when the work asks for input; `finished` unless given. */
  readonly until?: "finished" | "input" | undefined
}

const waitFor = <Slug extends TaskSlug, Options extends WaitFields>(
  id: string,
  options?: Options
): Wait<OfTask<ExecutionDetail, Slug>, Options> => ({
  name: `Execution ${id}`,
  look: {
    ...executionsGet(id, { wait: waitSeconds }, options),
    executionId: id
  },
  isOver: (execution) =>
    isFinished(execution) || (options?.until === "input" && execution.status === "awaiting_input")
})

export const executionWaits = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * Waits until the execution is over, however it ended: look at its `status`. With `until: "input"` also until the
   * work asks for input. The wait has no limit unless it is given one, and goes on while the service is away.
   *
   * @example
   * ```ts
   * const { status, result } = await runhook.executions.waitFor(id)
   * ```
   */
  waitFor: <Slug extends TaskSlug = never>(id: string, options?: T["waitOptions"] & WaitFields) =>
    client.wait<OfTask<ExecutionDetail, Slug>>(waitFor<Slug, T["waitOptions"] & WaitFields>(id, options)),

  /**
   * The events of an execution as they happen, until it is over. Goes on over lost connections and a restart of the
   * service, without a gap. `after` skips those up to a `sequence`.
   *
   * @example
   * ```ts
   * for await (const { type, status } of runhook.executions.follow(id)) console.log(type, status)
   * ```
   */
  follow: (id: string, options?: FollowFields & T["options"]) =>
    client.follow<ExecutionHistoryEvent>({
      look: executionsEvents(id, { wait: waitSeconds }, options),
      after: options?.after,
      isLast: isFinished
    }),

  /**
   * The lines of its log as the work writes them, until it is over; otherwise as `follow`.
   *
   * @example
   * ```ts
   * for await (const { level, message } of runhook.executions.followLogs(id)) console.log(level, message)
   * ```
   */
  followLogs: (id: string, options?: FollowFields & T["options"]) =>
    client.follow<ExecutionLogLine>({
      look: executionsLogs(id, { wait: waitSeconds }, options),
      after: options?.after,
      isLast: () => false,
      owner: executionsGet(id, {}, options)
    }),

  /**
   * Queues an execution and waits until it is over, however it ended: look at its `status`. Takes what `create` and
   * `waitFor` take, and fails as they do. An error after the create has the execution in its `executionId`.
   *
   * @example
   * ```ts
   * const { status, result, error_message } = await runhook.executions.createAndWait({ agent_id, task_id, params })
   * ```
   */
  createAndWait: <Slug extends TaskSlug = never>(
    body: WithParams<CreateExecution, Slug>,
    options?: CreateFields & T["options"] & T["waitOptions"] & WaitFields
  ) =>
    client.makeAndWait<ExecutionCreated | ExecutionReplayed, OfTask<ExecutionDetail, Slug>>({
      make: executionsCreate(body, options),
      waitFor: ({ execution_id }) => waitFor(execution_id, options)
    })
})

/** Queue executions, follow them, stop them, see what they captured. */
import type {
  AnswerInput,
  CancelExecution,
  CancelFilter,
  CancelJob,
  CreateExecution,
  Execution,
  ExecutionArtifacts,
  ExecutionCancelled,
  ExecutionCreated,
  ExecutionDetail,
  ExecutionEvidence,
  ExecutionExplained,
  ExecutionFilter,
  ExecutionHistory,
  ExecutionLog,
  ExecutionMoved,
  ExecutionReplayed,
  ExecutionRescheduled,
  HistoryQuery,
  InputAnswered,
  InputList,
  RerunExecution,
  RescheduleExecution,
  WouldCreate
} from "../wire/Integration.ts"
import type { OfTask, TaskSlug, WithParams } from "../wire/TaskTypes.ts"
import type { Client, ClientTypes, IntegrationClient } from "./Client.ts"
import { get, idempotentPost, list, patch, pathOf, postOnce, waitingGet } from "./Describe.ts"
import { type CreateFields, executionWaits } from "./ExecutionWaits.ts"
import { cancels, jobsRoot } from "./Cancels.ts"
import { jobs } from "./Jobs.ts"
import { manyExecutions } from "./ManyExecutions.ts"

export interface GetFields {
  /** Seconds the service waits until the execution is finished or awaits input, 0 to 60; 0 unless given. */
  readonly wait?: number | undefined
}

/** How an API shows executions, and what it takes to create one. */
export interface ExecutionTypes {
  readonly item: object
  readonly detail: object
  readonly artifacts: object
  readonly create: object
  readonly rerun: object
  readonly filter: ExecutionFilter
}

/** For the holder of a key. */
export interface KeyHoldersView extends ExecutionTypes {
  readonly item: Execution
  readonly detail: ExecutionDetail
  readonly artifacts: ExecutionArtifacts
  readonly create: CreateExecution
  readonly rerun: RerunExecution
}

/** The calls that the integration API and the admin API have in common. */
export const executionCalls = <T extends ClientTypes, View extends ExecutionTypes>(client: Client<T>) => ({
  /**
   * Queues an execution. Each call has an idempotency key of its own unless `idempotencyKey` is given, and sends it
   * with every attempt: a retry makes no second execution, and answers `idempotent_replay: true` and the same id.
   *
   * Fails with an `InvalidParamsError` when `params` break the task's schema, an `IdempotencyConflictError` when the
   * key was used with another body, and a `ConcurrencyLimitReachedError` when too many executions are unfinished.
   *
   * @example
   * ```ts
   * const { execution_id } = await runhook.executions.create(
   *   { agent_id, task_id, params: { url }, reference: order.id, callback_url },
   *   { idempotencyKey: order.id }
   * )
   * ```
   */
  create: <Slug extends TaskSlug = never>(
    body: WithParams<View["create"], Slug>,
    options?: CreateFields & T["options"]
  ) => client.call<ExecutionCreated | ExecutionReplayed>(postOnce("/executions", body, options)),

  /**
   * Checks a request without queuing anything. Fails as `create` would.
   *
   * @example
   * ```ts
   * await runhook.executions.validate({ agent_id, task_id, params: { url } })
   * ```
   */
  validate: <Slug extends TaskSlug = never>(body: WithParams<View["create"], Slug>, options?: T["options"]) =>
    client.call<WouldCreate>({
      ...idempotentPost("/executions", body, options),
      query: { validate_only: true }
    }),

  /**
   * One execution with its files. With `wait`, in seconds up to 60, the service answers as soon as it is finished or
   * awaits input, and after that time at the latest. Fails with a `NotFoundError` when there is none of that id.
   *
   * @example
   * ```ts
   * const { status, result, downloads } = await runhook.executions.get(id, { wait: 60 })
   * ```
   */
  get: <Slug extends TaskSlug = never>(id: string, options?: GetFields & T["options"]) =>
    client.call<OfTask<View["detail"], Slug>>(
      waitingGet(pathOf`/executions/${id}`, options, { wait: options?.wait })
    ),

  /**
   * Executions, newest first, fetched page by page as they are read.
   *
   * @example
   * ```ts
   * for await (const { id, status } of runhook.executions.list({ status: ["queued", "running"] })) console.log(id, status)
   * ```
   */
  list: (filter?: View["filter"], options?: T["options"]) =>
    client.list<View["item"]>(list("/executions", filter, options)),

  /**
   * Stops an execution. One that was finished before stays as it is, and says `already_finished`.
   *
   * @example
   * ```ts
   * await runhook.executions.cancel(id, { reason: "The order was withdrawn" })
   * ```
   */
  cancel: (id: string, body?: CancelExecution, options?: T["options"]) =>
    client.call<ExecutionCancelled>(idempotentPost(pathOf`/executions/${id}/cancel`, body, options)),

  /**
   * Queues an execution that was created with `hold`.
   *
   * @example
   * ```ts
   * await runhook.executions.release(id)
   * ```
   */
  release: (id: string, options?: T["options"]) =>
    client.call<ExecutionMoved>(idempotentPost(pathOf`/executions/${id}/release`, undefined, options)),

  /**
   * Runs an execution again: with the same agent, reference, metadata and callbacks, and its params unless others are
   * given. Has an idempotency key as `create` has, and fails as that does.
   *
   * @example
   * ```ts
   * const { execution_id } = await runhook.executions.rerun(id, { version: "current" })
   * ```
   */
  rerun: (id: string, body?: View["rerun"], options?: CreateFields & T["options"]) =>
    client.call<ExecutionCreated | ExecutionReplayed>(
      postOnce(pathOf`/executions/${id}/rerun`, body, options)
    ),

  /**
   * Changes when an execution starts, as long as it is pending or queued. Fails with an `InvalidRequestError` once a
   * runner has it.
   *
   * @example
   * ```ts
   * await runhook.executions.reschedule(id, { priority: 100, scheduled_at: null })
   * ```
   */
  reschedule: (id: string, body: RescheduleExecution, options?: T["options"]) =>
    client.call<ExecutionRescheduled>(patch(pathOf`/executions/${id}`, body, options)),

  /**
   * The history of an execution, oldest first. With `after`, only later changes; with `wait`, in seconds up
   * to 60, the service answers as soon as there is one.
   *
   * @example
   * ```ts
   * const { data } = await runhook.executions.events(id, { after: 3, wait: 30 })
   * ```
   */
  events: (id: string, query: HistoryQuery = {}, options?: T["options"]) =>
    client.call<ExecutionHistory>(waitingGet(pathOf`/executions/${id}/events`, options, query)),

  /**
   * What the work logged, oldest first: the newest 1,000 lines. `after` and `wait` are as for `events`.
   *
   * @example
   * ```ts
   * const { data } = await runhook.executions.logs(id, { after: 12, wait: 30 })
   * ```
   */
  logs: (id: string, query: HistoryQuery = {}, options?: T["options"]) =>
    client.call<ExecutionLog>(waitingGet(pathOf`/executions/${id}/logs`, options, query)),

  /**
   * Why an execution has not started: everything that is in its way.
   *
   * @example
   * ```ts
   * const { position, blocked_by } = await runhook.executions.explain(id)
   * ```
   */
  explain: (id: string, options?: T["options"]) =>
    client.call<ExecutionExplained>(get(pathOf`/executions/${id}/explain`, options)),

  /**
   * Signed evidence of an execution that has ended, for `verifyEvidence` of `@runhook/sdk/evidence`. Fails with an
   * `InvalidRequestError` before the end.
   *
   * @example
   * ```ts
   * const { evidence } = await runhook.executions.evidence(id)
   * ```
   */
  evidence: (id: string, options?: T["options"]) =>
    client.call<ExecutionEvidence>(get(pathOf`/executions/${id}/evidence`, options)),

  /**
   * The files and videos that the run captured, also while it goes on.
   *
   * @example
   * ```ts
   * const { downloads, videos } = await runhook.executions.artifacts(id)
   * ```
   */
  artifacts: (id: string, options?: T["options"]) =>
    client.call<View["artifacts"]>(get(pathOf`/executions/${id}/artifacts`, options)),

  /**
   * What the work asked for, with the answers.
   *
   * @example
   * ```ts
   * const { data } = await runhook.executions.inputs(id)
   * ```
   */
  inputs: (id: string, options?: T["options"]) =>
    client.call<InputList>(get(pathOf`/executions/${id}/inputs`, options)),

  /**
   * Answers a question of the work. Answering the same again changes nothing. Fails with an `InvalidParamsError` when
   * the answer breaks the question's schema.
   *
   * @example
   * ```ts
   * await runhook.executions.answer({ execution_id, input_id }, { value: "123456" })
   * ```
   */
  answer: (
    { execution_id, input_id }: { readonly execution_id: string; readonly input_id: string },
    body: AnswerInput,
    options?: T["options"]
  ) =>
    client.call<InputAnswered>(
      idempotentPost(pathOf`/executions/${execution_id}/inputs/${input_id}`, body, options)
    )
})

/** The executions of a key. */
export const executions = <T extends ClientTypes>(
  client: IntegrationClient<T>
): ReturnType<typeof executionCalls<T, KeyHoldersView>> &
  ReturnType<typeof manyExecutions<T>> &
  ReturnType<typeof executionWaits<T>> &
  ReturnType<typeof cancels<T, CancelFilter>> & {
    /** The jobs that `cancelAll` begins. */
    readonly jobs: ReturnType<typeof jobs<T, CancelJob>>
  } => ({
  ...executionCalls<T, KeyHoldersView>(client),
  ...manyExecutions(client),
  ...executionWaits(client),
  ...cancels<T, CancelFilter>(client),
  jobs: jobs<T, CancelJob>(client, jobsRoot, "Job")
})

/** Queue executions, follow them, stop them, see what they captured. */
import type { Call } from "../call/Answer.ts"
import type { Clock } from "../call/Clock.ts"
import { randomName } from "../call/RandomName.ts"
import { type List, listOf } from "../call/List.ts"
import { pathOf } from "../call/Request.ts"
import type { Send } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type {
  AnswerInput,
  CancelExecution,
  CreateExecution,
  Execution,
  ExecutionArtifacts,
  ExecutionCancelled,
  ExecutionCreated,
  ExecutionDetail,
  ExecutionExplained,
  ExecutionFilter,
  ExecutionHistory,
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
import { isFinished, waitSeconds } from "./Finished.ts"
import { waitUntil } from "./Waiting.ts"

export interface CreateOptions extends CallOptions {
  /** Repeating a create under the same key makes no second execution; a new one for each call unless given. */
  readonly idempotencyKey?: string | undefined
}

export interface GetOptions extends CallOptions {
  /** Seconds the service waits until the execution is finished or awaits input, 0 to 60; 0 unless given. */
  readonly wait?: number | undefined
}

export interface WaitOptions extends CallOptions {
  /** `input` also ends the wait when the work asks for input; `finished` unless given. */
  readonly until?: "finished" | "input" | undefined
  /** Longest wait in milliseconds, after which it rejects with a `TimeoutError`; no limit unless given. */
  readonly waitMs?: number | undefined
}

export const makeExecutions = (send: Send, clock: Clock) => {
  const create = (
    body: CreateExecution,
    { idempotencyKey = randomName(), ...options }: CreateOptions = {}
  ): Call<ExecutionCreated | ExecutionReplayed> =>
    send({ method: "POST", path: "/executions", body, idempotencyKey }, options)

  const get = (id: string, { wait, ...options }: GetOptions = {}): Call<ExecutionDetail> =>
    send(
      { method: "GET", path: pathOf`/executions/${id}`, query: { wait }, waitMs: (wait ?? 0) * 1_000 },
      options
    )

  const waitFor = (
    id: string,
    { until = "finished", waitMs, ...options }: WaitOptions = {}
  ): Promise<ExecutionDetail> =>
    waitUntil(clock, {
      name: `Execution ${id}`,
      waitMs,
      signal: options.signal,
      look: (signal) => get(id, { ...options, signal, wait: waitSeconds }),
      isOver: (execution) =>
        isFinished(execution) || (until === "input" && execution.status === "awaiting_input")
    })

  return {
    /**
     * Queues an execution. Each call has an idempotency key of its own unless `idempotencyKey` is given, and sends it
     * with every attempt: a retry makes no second execution, and answers `idempotent_replay: true` and the same id.
     *
     * Rejects with an `InvalidParamsError` when `params` break the task's schema, an `IdempotencyConflictError` when the
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
    create,

    /**
     * One execution with its files. With `wait`, in seconds up to 60, the service answers as soon as it is finished or
     * awaits input, and at the latest then. Rejects with a `NotFoundError` when there is none of that id.
     *
     * @example
     * ```ts
     * const { status, result, downloads } = await runhook.executions.get(id, { wait: 60 })
     * ```
     */
    get,

    /**
     * Waits until the execution is over, however it ended: look at its `status`. With `until: "input"` also until the
     * work asks for input. There is no limit unless `waitMs` gives one, in milliseconds, after which it rejects with a
     * `TimeoutError`; the other limits hold for each look.
     *
     * @example
     * ```ts
     * const { status, result } = await runhook.executions.waitFor(id, { waitMs: 600_000 })
     * ```
     */
    waitFor,

    /**
     * Checks a request without queuing anything. Rejects as `create` would.
     *
     * @example
     * ```ts
     * await runhook.executions.validate({ agent_id, task_id, params: { url } })
     * ```
     */
    validate: (body: CreateExecution, options?: CallOptions): Call<WouldCreate> =>
      send(
        { method: "POST", path: "/executions", query: { validate_only: true }, body, repeatable: true },
        options
      ),

    /**
     * Queues an execution and waits until it is over, however it ended: look at its `status`. Takes what `create` and
     * `waitFor` take, and rejects as they do.
     *
     * @example
     * ```ts
     * const { status, result, error_message } = await runhook.executions.createAndWait({ agent_id, task_id, params })
     * ```
     */
    createAndWait: async (
      body: CreateExecution,
      { idempotencyKey, ...options }: CreateOptions & WaitOptions = {}
    ): Promise<ExecutionDetail> => {
      const { execution_id } = await create(body, { ...options, idempotencyKey })
      return await waitFor(execution_id, options)
    },

    /**
     * Executions of the account, newest first, fetched page by page as they are read.
     *
     * @example
     * ```ts
     * for await (const { id, status } of runhook.executions.list({ status: ["queued", "running"] })) console.log(id, status)
     * const newest = await runhook.executions.list().toArray({ limit: 10 })
     * ```
     */
    list: (filter?: ExecutionFilter, options?: CallOptions): List<Execution> =>
      listOf(send, "/executions", { filter, options }),

    /**
     * Stops an execution. One that was finished before stays as it is, and says `already_finished`.
     *
     * @example
     * ```ts
     * await runhook.executions.cancel(id, { reason: "The order was withdrawn" })
     * ```
     */
    cancel: (id: string, body?: CancelExecution, options?: CallOptions): Call<ExecutionCancelled> =>
      send({ method: "POST", path: pathOf`/executions/${id}/cancel`, body, repeatable: true }, options),

    /**
     * Queues an execution that was created with `hold`.
     *
     * @example
     * ```ts
     * await runhook.executions.release(id)
     * ```
     */
    release: (id: string, options?: CallOptions): Call<ExecutionMoved> =>
      send({ method: "POST", path: pathOf`/executions/${id}/release`, repeatable: true }, options),

    /**
     * Runs an execution again: with the same agent, reference, metadata and callbacks, and its params unless others are
     * given. Has an idempotency key as `create` has, and rejects as that does.
     *
     * @example
     * ```ts
     * const { execution_id } = await runhook.executions.rerun(id, { version: "current" })
     * ```
     */
    rerun: (
      id: string,
      body?: RerunExecution,
      { idempotencyKey = randomName(), ...options }: CreateOptions = {}
    ): Call<ExecutionCreated | ExecutionReplayed> =>
      send({ method: "POST", path: pathOf`/executions/${id}/rerun`, body, idempotencyKey }, options),

    /**
     * Changes when an execution starts, as long as it is pending or queued. Rejects with a `ConflictError` once a runner
     * has it.
     *
     * @example
     * ```ts
     * await runhook.executions.reschedule(id, { priority: 100, scheduled_at: null })
     * ```
     */
    reschedule: (id: string, body: RescheduleExecution, options?: CallOptions): Call<ExecutionRescheduled> =>
      send({ method: "PATCH", path: pathOf`/executions/${id}`, body, repeatable: true }, options),

    /**
     * What happened to an execution, oldest first. With `after`, the changes behind that one; with `wait`, in seconds up
     * to 60, the service answers as soon as there is one.
     *
     * @example
     * ```ts
     * const { data } = await runhook.executions.events(id, { after: 3, wait: 30 })
     * ```
     */
    events: (
      id: string,
      { after, limit, wait }: HistoryQuery = {},
      options?: CallOptions
    ): Call<ExecutionHistory> =>
      send(
        {
          method: "GET",
          path: pathOf`/executions/${id}/events`,
          query: { after, limit, wait },
          waitMs: (wait ?? 0) * 1_000
        },
        options
      ),

    /**
     * Why an execution has not started: everything that is in its way.
     *
     * @example
     * ```ts
     * const { position, blocked_by } = await runhook.executions.explain(id)
     * ```
     */
    explain: (id: string, options?: CallOptions): Call<ExecutionExplained> =>
      send({ method: "GET", path: pathOf`/executions/${id}/explain` }, options),

    /**
     * The files and videos that the run captured, also while it goes on.
     *
     * @example
     * ```ts
     * const { downloads, videos } = await runhook.executions.artifacts(id)
     * ```
     */
    artifacts: (id: string, options?: CallOptions): Call<ExecutionArtifacts> =>
      send({ method: "GET", path: pathOf`/executions/${id}/artifacts` }, options),

    /**
     * What the work asked for, with the answers.
     *
     * @example
     * ```ts
     * const { data } = await runhook.executions.inputs(id)
     * ```
     */
    inputs: (id: string, options?: CallOptions): Call<InputList> =>
      send({ method: "GET", path: pathOf`/executions/${id}/inputs` }, options),

    /**
     * Answers a question of the work. Answering the same again changes nothing. Rejects with an `InvalidParamsError`
     * when the answer breaks the question's schema.
     *
     * @example
     * ```ts
     * const { input_request } = await runhook.executions.waitFor(id, { until: "input" })
     * if (input_request !== null) {
     *   await runhook.executions.answer({ execution_id: id, input_id: input_request.input_id }, { value: "123456" })
     * }
     * ```
     */
    answer: (
      { execution_id, input_id }: { readonly execution_id: string; readonly input_id: string },
      body: AnswerInput,
      options?: CallOptions
    ): Call<InputAnswered> =>
      send(
        {
          method: "POST",
          path: pathOf`/executions/${execution_id}/inputs/${input_id}`,
          body,
          repeatable: true
        },
        options
      )
  }
}

export type Executions = ReturnType<typeof makeExecutions>

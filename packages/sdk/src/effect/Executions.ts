/** Queue executions, follow them, stop them, see what they captured. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { randomName } from "../call/RandomName.ts"
import { pathOf } from "../call/Request.ts"
import { isFinished, lookMs, waitSeconds } from "../resources/Finished.ts"
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
import type { RunhookError } from "./Errors.ts"
import { listOf } from "./List.ts"
import type { Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"

/** A call of the API under way. */
type Call<A> = Effect.Effect<A, RunhookError>

export interface CreateOptions extends CallOptions {
  /** Repeating a create under the same key makes no second execution; a new one for each run unless given. */
  readonly idempotencyKey?: string | undefined
}

export interface GetOptions extends CallOptions {
  /** Seconds the service waits until the execution is finished or awaits input, 0 to 60; 0 unless given. */
  readonly wait?: number | undefined
}

export interface WaitOptions extends CallOptions {
  /** `input` also ends the wait when the work asks for input; `finished` unless given. */
  readonly until?: "finished" | "input" | undefined
}

export const makeExecutions = (send: Send) => {
  const create = (
    body: CreateExecution,
    { idempotencyKey, ...options }: CreateOptions = {}
  ): Call<ExecutionCreated | ExecutionReplayed> =>
    Effect.suspend(() =>
      send(
        { method: "POST", path: "/executions", body, idempotencyKey: idempotencyKey ?? randomName() },
        options
      )
    )

  const get = (id: string, { wait, ...options }: GetOptions = {}): Call<ExecutionDetail> =>
    send(
      { method: "GET", path: pathOf`/executions/${id}`, query: { wait }, waitMs: (wait ?? 0) * 1_000 },
      options
    )

  const waitFor = (id: string, { until = "finished", ...options }: WaitOptions = {}): Call<ExecutionDetail> =>
    Effect.repeat(get(id, { ...options, wait: waitSeconds }), {
      until: (execution) =>
        isFinished(execution) || (until === "input" && execution.status === "awaiting_input"),
      schedule: Schedule.fixed(lookMs)
    })

  const { list, page } = listOf<Execution, ExecutionFilter>(send, "/executions")

  return {
    /**
     * Queues an execution. Each call has an idempotency key of its own unless `idempotencyKey` is given, and sends it
     * with every attempt: a retry makes no second execution, and answers `idempotent_replay: true` and the same id.
     *
     * Fails with an `InvalidParamsError` when `params` break the task's schema, an `IdempotencyConflictError` when the
     * key was used with another body, and a `ConcurrencyLimitReachedError` when too many executions are unfinished.
     *
     * @example
     * ```ts
     * const { execution_id } = yield* runhook.executions.create({ agent_id, task_id, params }, { idempotencyKey: order.id })
     * ```
     */
    create,

    /**
     * One execution with its files. With `wait`, in seconds up to 60, the service answers as soon as it is finished or
     * awaits input, and at the latest then. Fails with a `NotFoundError` when there is none of that id.
     *
     * @example
     * ```ts
     * const { status, result } = yield* runhook.executions.get(id, { wait: 60 })
     * ```
     */
    get,

    /**
     * Waits without limit until the execution is over, however it ended: look at its `status`. Its limits hold for each
     * look; `Effect.timeout` bounds the whole wait.
     *
     * @example
     * ```ts
     * const { status } = yield* Effect.timeout(runhook.executions.waitFor(id), "10 minutes")
     * ```
     */
    waitFor,

    /** Checks a request without queuing anything. Fails as `create` would. */
    validate: (body: CreateExecution, options?: CallOptions): Call<WouldCreate> =>
      send(
        { method: "POST", path: "/executions", query: { validate_only: true }, body, repeatable: true },
        options
      ),

    /** Queues an execution and waits until it is over, however it ended: look at its `status`. */
    createAndWait: (
      body: CreateExecution,
      { idempotencyKey, until, ...options }: CreateOptions & WaitOptions = {}
    ): Call<ExecutionDetail> =>
      Effect.flatMap(create(body, { ...options, idempotencyKey }), ({ execution_id }) =>
        waitFor(execution_id, { ...options, until })
      ),

    /** Streams the executions of the account, newest first. */
    list,

    /** One page of the executions of the account, newest first. */
    page,

    /** Stops an execution. One that was finished before stays as it is, and says `already_finished`. */
    cancel: (id: string, body?: CancelExecution, options?: CallOptions): Call<ExecutionCancelled> =>
      send({ method: "POST", path: pathOf`/executions/${id}/cancel`, body, repeatable: true }, options),

    /** Queues an execution that was created with `hold`. */
    release: (id: string, options?: CallOptions): Call<ExecutionMoved> =>
      send({ method: "POST", path: pathOf`/executions/${id}/release`, repeatable: true }, options),

    /** Runs an execution again, with its params unless others are given. Has an idempotency key as `create` has. */
    rerun: (
      id: string,
      body?: RerunExecution,
      { idempotencyKey, ...options }: CreateOptions = {}
    ): Call<ExecutionCreated | ExecutionReplayed> =>
      Effect.suspend(() =>
        send(
          {
            method: "POST",
            path: pathOf`/executions/${id}/rerun`,
            body,
            idempotencyKey: idempotencyKey ?? randomName()
          },
          options
        )
      ),

    /** Changes when an execution starts, as long as it is pending or queued. */
    reschedule: (id: string, body: RescheduleExecution, options?: CallOptions): Call<ExecutionRescheduled> =>
      send({ method: "PATCH", path: pathOf`/executions/${id}`, body, repeatable: true }, options),

    /** What happened to an execution, oldest first; with `wait`, answered as soon as there is something. */
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

    /** Why an execution has not started. */
    explain: (id: string, options?: CallOptions): Call<ExecutionExplained> =>
      send({ method: "GET", path: pathOf`/executions/${id}/explain` }, options),

    /** The files and videos that the run captured. */
    artifacts: (id: string, options?: CallOptions): Call<ExecutionArtifacts> =>
      send({ method: "GET", path: pathOf`/executions/${id}/artifacts` }, options),

    /** What the work asked for. */
    inputs: (id: string, options?: CallOptions): Call<InputList> =>
      send({ method: "GET", path: pathOf`/executions/${id}/inputs` }, options),

    /** Answers a question of the work. Answering the same again changes nothing. */
    answer: (
      { execution_id, input_id }: { readonly execution_id: string; readonly input_id: string },
      body: AnswerInput,
      options?: CallOptions
    ): Call<InputAnswered> => {
      const path = pathOf`/executions/${execution_id}/inputs/${input_id}`
      return send({ method: "POST", path, body, repeatable: true }, options)
    }
  }
}

export type Executions = ReturnType<typeof makeExecutions>

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
  ExecutionCancelled,
  ExecutionCreated,
  ExecutionDetail,
  ExecutionFilter,
  ExecutionMoved,
  ExecutionReplayed,
  InputAnswered,
  InputList,
  WouldCreate
} from "../wire/Executions.ts"
import type { ExecutionArtifacts } from "../wire/Files.ts"
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
  /**
   * Queues an execution. May be retried without a second execution coming of
   * it: the retry then answers `idempotent_replay: true` and the same id.
   */
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

  /** One execution with its files. */
  const get = (id: string, { wait, ...options }: GetOptions = {}): Call<ExecutionDetail> =>
    send(
      { method: "GET", path: pathOf`/executions/${id}`, query: { wait }, waitMs: (wait ?? 0) * 1_000 },
      options
    )

  /** Waits without limit until the execution is over, however it ended: look at its `status`. Its limits hold for each look. */
  const waitFor = (id: string, { until = "finished", ...options }: WaitOptions = {}): Call<ExecutionDetail> =>
    Effect.repeat(get(id, { ...options, wait: waitSeconds }), {
      until: (execution) =>
        isFinished(execution) || (until === "input" && execution.status === "awaiting_input"),
      schedule: Schedule.fixed(lookMs)
    })

  return {
    create,
    get,
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

    /** `list` streams the executions of the account, newest first; `page` gives one page of them. */
    ...listOf<Execution, ExecutionFilter>(send, "/executions"),

    /** Stops an execution. One that was finished before stays as it is, and says `already_finished`. */
    cancel: (id: string, body?: CancelExecution, options?: CallOptions): Call<ExecutionCancelled> =>
      send({ method: "POST", path: pathOf`/executions/${id}/cancel`, body, repeatable: true }, options),

    /** Queues an execution that was created with `hold`. */
    release: (id: string, options?: CallOptions): Call<ExecutionMoved> =>
      send({ method: "POST", path: pathOf`/executions/${id}/release`, repeatable: true }, options),

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

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
  /**
   * Queues an execution. May be retried without a second execution coming of
   * it: the retry then answers `idempotent_replay: true` and the same id.
   */
  const create = (
    body: CreateExecution,
    { idempotencyKey = randomName(), ...options }: CreateOptions = {}
  ): Call<ExecutionCreated | ExecutionReplayed> =>
    send({ method: "POST", path: "/executions", body, idempotencyKey }, options)

  /** One execution with its files. */
  const get = (id: string, { wait, ...options }: GetOptions = {}): Call<ExecutionDetail> =>
    send(
      { method: "GET", path: pathOf`/executions/${id}`, query: { wait }, waitMs: (wait ?? 0) * 1_000 },
      options
    )

  /** Waits until the execution is over, however it ended: look at its `status`. Its other limits hold for each look. */
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
    create,
    get,
    waitFor,

    /** Checks a request without queuing anything. Rejects as `create` would. */
    validate: (body: CreateExecution, options?: CallOptions): Call<WouldCreate> =>
      send(
        { method: "POST", path: "/executions", query: { validate_only: true }, body, repeatable: true },
        options
      ),

    /** Queues an execution and waits until it is over, however it ended: look at its `status`. */
    createAndWait: async (
      body: CreateExecution,
      { idempotencyKey, ...options }: CreateOptions & WaitOptions = {}
    ): Promise<ExecutionDetail> => {
      const { execution_id } = await create(body, { ...options, idempotencyKey })
      return await waitFor(execution_id, options)
    },

    /** Executions of the account, newest first. */
    list: (filter?: ExecutionFilter, options?: CallOptions): List<Execution> =>
      listOf(send, "/executions", { filter, options }),

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

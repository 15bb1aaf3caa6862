/** The executions of an account. */
import { type Call, readError } from "../call/Answer.ts"
import { randomName } from "../call/RandomName.ts"
import { pathOf } from "../call/Request.ts"
import type { Read } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type { CreateOptions, GetOptions } from "../resources/Executions.ts"
import type {
  AdminCreateExecution,
  AdminExecution,
  AdminExecutionArtifacts,
  AdminExecutionDetail,
  AdminRerunExecution
} from "../wire/Admin.ts"
import type {
  AnswerInput,
  CancelExecution,
  ExecutionCancelled,
  ExecutionCreated,
  ExecutionExplained,
  ExecutionFilter,
  ExecutionHistory,
  ExecutionMoved,
  ExecutionReplayed,
  ExecutionRescheduled,
  HistoryQuery,
  InputAnswered,
  InputList,
  RescheduleExecution,
  WouldCreate
} from "../wire/Integration.ts"
import type { Rooted } from "./Rooted.ts"

export const makeExecutions = ({ call, get, list, patch, settle }: Rooted) => ({
  /** Executions of all keys of the account, newest first. */
  list: (filter?: ExecutionFilter, options?: CallOptions) =>
    list<AdminExecution>("/executions", filter, options),

  /** One execution with its files and how far it is. With `wait`, answered as soon as it is finished or awaits input. */
  get: (id: string, { wait, ...options }: GetOptions = {}): Call<AdminExecutionDetail> =>
    call(
      { method: "GET", path: pathOf`/executions/${id}`, query: { wait }, waitMs: (wait ?? 0) * 1_000 },
      options
    ),

  /** Queues an execution in the name of a key. A retry makes no second one. */
  create: (
    body: AdminCreateExecution,
    { idempotencyKey = randomName(), ...options }: CreateOptions = {}
  ): Call<ExecutionCreated | ExecutionReplayed> =>
    call({ method: "POST", path: "/executions", body, idempotencyKey }, options),

  /** Checks a request without queuing anything. Rejects as `create` would. */
  validate: (body: AdminCreateExecution, options?: CallOptions): Call<WouldCreate> =>
    call(
      { method: "POST", path: "/executions", query: { validate_only: true }, body, repeatable: true },
      options
    ),

  /** Runs an execution again, in the name of the key it had unless another is given. A retry makes no second one. */
  rerun: (
    id: string,
    body?: AdminRerunExecution,
    { idempotencyKey = randomName(), ...options }: CreateOptions = {}
  ): Call<ExecutionCreated | ExecutionReplayed> =>
    call({ method: "POST", path: pathOf`/executions/${id}/rerun`, body, idempotencyKey }, options),

  /** Changes when an execution starts that is pending or queued. */
  reschedule: (id: string, body: RescheduleExecution, options?: CallOptions) =>
    patch<ExecutionRescheduled>(pathOf`/executions/${id}`, body, options),

  /** Stops an execution in the name of the operator: it becomes `cancelled`. A finished one stays as it is. */
  cancel: (id: string, body?: CancelExecution, options?: CallOptions) =>
    settle<ExecutionCancelled>(pathOf`/executions/${id}/cancel`, body, options),

  /** Queues an execution that was created with `hold`. */
  release: (id: string, options?: CallOptions) =>
    settle<ExecutionMoved>(pathOf`/executions/${id}/release`, undefined, options),

  /** What happened to an execution, oldest first. */
  events: (
    id: string,
    { after, limit, wait }: HistoryQuery = {},
    options?: CallOptions
  ): Call<ExecutionHistory> =>
    call(
      {
        method: "GET",
        path: pathOf`/executions/${id}/events`,
        query: { after, limit, wait },
        waitMs: (wait ?? 0) * 1_000
      },
      options
    ),

  /** Why an execution has not started. */
  explain: (id: string, options?: CallOptions) =>
    get<ExecutionExplained>(pathOf`/executions/${id}/explain`, options),

  /** What the work asked for, with the answers. */
  inputs: (id: string, options?: CallOptions) => get<InputList>(pathOf`/executions/${id}/inputs`, options),

  /** Answers a question of the work. Answering the same again changes nothing. */
  answer: (
    { execution_id, input_id }: { readonly execution_id: string; readonly input_id: string },
    body: AnswerInput,
    options?: CallOptions
  ) => settle<InputAnswered>(pathOf`/executions/${execution_id}/inputs/${input_id}`, body, options),

  /** The files and videos that the run captured, also while it goes on. */
  artifacts: (id: string, options?: CallOptions) =>
    get<AdminExecutionArtifacts>(pathOf`/executions/${id}/artifacts`, options),

  /** Opens a file or a video: the body of the response streams its bytes. */
  file: (
    { execution_id, id }: { readonly execution_id: string; readonly id: string },
    options?: CallOptions
  ): Call<Response> =>
    call({ method: "GET", path: pathOf`/executions/${execution_id}/files/${id}` }, options, openFile)
})

/** An answer whose body is read by whoever asked for it. */
const openFile: Read<Response> = async (response, reading) => {
  if (response.ok) return response
  throw await readError(response, reading)
}

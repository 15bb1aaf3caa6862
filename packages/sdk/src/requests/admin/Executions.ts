/** The executions of an account. A create names the key on whose behalf the execution runs. */
import type {
  AdminCancelFilter,
  AdminCancelJob,
  AdminCreateExecution,
  AdminExecution,
  AdminExecutionArtifacts,
  AdminExecutionDetail,
  AdminExecutionFilter,
  AdminRerunExecution
} from "../../wire/Admin.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { pathOf, remove } from "../Describe.ts"
import { cancels, jobsRoot } from "../Cancels.ts"
import { executionCalls, type ExecutionTypes } from "../Executions.ts"
import { jobCalls } from "../Jobs.ts"

interface OperatorsView extends ExecutionTypes {
  readonly item: AdminExecution
  readonly detail: AdminExecutionDetail
  readonly artifacts: AdminExecutionArtifacts
  readonly create: AdminCreateExecution
  readonly rerun: AdminRerunExecution
  readonly filter: AdminExecutionFilter
}

const operatorsCalls = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Removes a finished execution with its history, result, files and callbacks.
   *
   * @example
   * ```ts
   * await account.executions.remove(execution_id)
   * ```
   */
  remove: (id: string, options?: T["options"]) => client.nothing(remove(pathOf`/executions/${id}`, options)),

  /**
   * Opens a file or a video: the body of the response streams its bytes.
   *
   * @example
   * ```ts
   * const response = await account.executions.file({ execution_id, id: file.id })
   * ```
   */
  file: (
    { execution_id, id }: { readonly execution_id: string; readonly id: string },
    options?: T["options"]
  ) =>
    client.file({
      method: "GET",
      path: pathOf`/executions/${execution_id}/files/${id}`,
      options
    })
})

export const adminExecutions = <T extends ClientTypes>(
  client: AdminClient<T>
): ReturnType<typeof executionCalls<T, OperatorsView>> &
  ReturnType<typeof operatorsCalls<T>> &
  ReturnType<typeof cancels<T, AdminCancelFilter>> & {
    /** The jobs that `cancelAll` begins. */
    readonly jobs: ReturnType<typeof jobCalls<T, AdminCancelJob>>
  } => ({
  ...executionCalls<T, OperatorsView>(client),
  ...operatorsCalls(client),
  ...cancels<T, AdminCancelFilter>(client),
  jobs: jobCalls<T, AdminCancelJob>(client, jobsRoot)
})

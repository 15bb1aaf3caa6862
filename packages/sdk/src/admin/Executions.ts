/** The executions of an account. */
import { pathOf } from "../call/Request.ts"
import type { CallOptions } from "../call/Settings.ts"
import type {
  CancelExecution,
  Execution,
  ExecutionCancelled,
  ExecutionDetail,
  ExecutionFilter
} from "../wire/Executions.ts"
import type { Rooted } from "./Rooted.ts"

export const makeExecutions = ({ get, list, settle }: Rooted) => ({
  /** Executions of all keys of the account, newest first. */
  list: (filter?: ExecutionFilter, options?: CallOptions) => list<Execution>("/executions", filter, options),

  get: (id: string, options?: CallOptions) => get<ExecutionDetail>(pathOf`/executions/${id}`, options),

  /** Stops an execution in the name of the operator: it becomes `cancelled`. A finished one stays as it is. */
  cancel: (id: string, body?: CancelExecution, options?: CallOptions) =>
    settle<ExecutionCancelled>(pathOf`/executions/${id}/cancel`, body, options)
})

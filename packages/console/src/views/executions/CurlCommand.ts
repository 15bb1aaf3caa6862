/** A curl command that creates the same execution with the user's own key. */
import type { AdminExecutionDetail, CreateExecution } from "@runhook/sdk/admin"
import { curl } from "../../format/Curl.ts"

type ExecutionRequest = Pick<
  AdminExecutionDetail,
  | "agent_id"
  | "callback_url"
  | "execution_id"
  | "metadata"
  | "params"
  | "priority"
  | "reference"
  | "task_version_id"
  | "timeout_seconds"
>

export const curlOf = (of: ExecutionRequest, baseUrl: string): string => {
  const body: CreateExecution = {
    agent_id: of.agent_id,
    task_version_id: of.task_version_id,
    params: of.params,
    ...(of.reference === of.execution_id ? {} : { reference: of.reference }),
    ...(Object.keys(of.metadata).length === 0 ? {} : { metadata: of.metadata }),
    ...(of.callback_url === null ? {} : { callback_url: of.callback_url }),
    ...(of.priority === 0 ? {} : { priority: of.priority }),
    ...(of.timeout_seconds === null ? {} : { timeout_seconds: of.timeout_seconds })
  }
  return curl({ baseUrl, path: "/executions", body: JSON.stringify(body) })
}

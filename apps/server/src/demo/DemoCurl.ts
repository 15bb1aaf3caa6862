/** A request that works when it is pasted into a shell. */
import { inboxPath } from "./DemoPaths.ts"

export const curlOf = (options: {
  readonly baseUrl: string
  readonly key: string
  readonly agentId: string
  readonly taskId: string
}): string => {
  const body = {
    agent_id: options.agentId,
    task_id: options.taskId,
    reference: "first-run",
    callback_url: options.baseUrl + inboxPath
  }
  return [
    `curl -sS -w '\\n' '${options.baseUrl}/api/v1/integrations/executions'`,
    `-H 'Authorization: Bearer ${options.key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`
  ].join(" \\\n  ")
}

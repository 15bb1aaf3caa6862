/** A new user's first call: its body, and as a command ready to paste. */
import { curl } from "../../format/Curl.ts"

export interface FirstCall {
  readonly agentId: string
  readonly taskId: string
  readonly callbackUrl: string
}

export const bodyOf = ({ agentId, callbackUrl, taskId }: FirstCall) => {
  const url = callbackUrl.trim()
  return {
    agent_id: agentId,
    task_id: taskId,
    reference: "first-run",
    ...(url === "" ? {} : { callback_url: url })
  }
}

export const curlOf = (call: FirstCall, baseUrl: string): string =>
  curl({ baseUrl, path: "/executions", body: JSON.stringify(bodyOf(call)) })

/** The demo inbox, which exists on the machine of the service. */
export const inboxOf = (baseUrl: string): string =>
  ["127.0.0.1", "[::1]", "localhost"].includes(new URL(baseUrl).hostname) ? `${baseUrl}/demo/inbox` : ""

/** A new user's first call, as a command ready to paste. */
import { curl } from "../../format/Curl.ts"

export interface FirstCall {
  readonly origin: string
  readonly agentId: string
  readonly taskId: string
  readonly callbackUrl: string
}

export const curlOf = ({ agentId, callbackUrl, origin, taskId }: FirstCall): string => {
  const url = callbackUrl.trim()
  const body = {
    agent_id: agentId,
    task_id: taskId,
    reference: "first-run",
    ...(url === "" ? {} : { callback_url: url })
  }
  return curl({ origin, path: "/executions", body: JSON.stringify(body) })
}

/** The demo inbox, which exists on the machine of the service. */
export const inboxOf = (origin: string): string =>
  ["127.0.0.1", "[::1]", "localhost"].includes(new URL(origin).hostname) ? `${origin}/demo/inbox` : ""

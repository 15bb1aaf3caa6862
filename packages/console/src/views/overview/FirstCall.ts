/** A new user's first call, as a command ready to paste. */

export interface FirstCall {
  readonly origin: string
  readonly agentId: string
  readonly taskId: string
  readonly callbackUrl: string
}

/** Quotes a text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const curlOf = ({ agentId, callbackUrl, origin, taskId }: FirstCall): string => {
  const url = callbackUrl.trim()
  const body = {
    agent_id: agentId,
    task_id: taskId,
    reference: "first-run",
    ...(url === "" ? {} : { callback_url: url })
  }
  return [
    `curl -sS ${quoted(`${origin}/api/v1/integrations/executions`)}`,
    `-H "Authorization: Bearer $RUNHOOK_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`
  ].join(" \\\n  ")
}

/** The demo inbox, which exists on the machine of the service. */
export const inboxOf = (origin: string): string =>
  ["127.0.0.1", "[::1]", "localhost"].includes(new URL(origin).hostname) ? `${origin}/demo/inbox` : ""

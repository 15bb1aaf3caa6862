/** Reads the messages of a poll endpoint without an end. */
import type { Messages } from "../requests/Request.ts"
import type { WebhookMessage } from "../wire/Integration.ts"
import type { WaitLimits } from "./Options.ts"
import type { Send } from "./Send.ts"

/** An unavailable service does not end the loop: only its caller or a refusal does. */
const unlimited = { retries: Infinity, timeoutMs: Infinity }

export async function* messagesOf(
  { acknowledge, fetch }: Messages<WaitLimits>,
  send: Send
): AsyncGenerator<WebhookMessage, void> {
  const options = { signal: fetch.options?.signal, ...unlimited }
  for (;;) {
    const { data } = await send({ ...fetch, options })
    const done: Array<string> = []
    try {
      for (const message of data) {
        fetch.options?.signal?.throwIfAborted()
        yield message
        done.push(message.message_id)
      }
    } finally {
      if (done.length > 0) await send({ ...acknowledge(done), options })
    }
  }
}

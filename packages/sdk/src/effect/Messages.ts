/** Reads the messages of a poll endpoint without an end. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Messages } from "../requests/Request.ts"
import type { WebhookMessage } from "../wire/Integration.ts"
import type { RunhookError } from "./Errors.ts"
import type { Send } from "./Send.ts"
import type { WaitLimits } from "./Settings.ts"

/** An unavailable service does not end the stream: only its reader or a refusal does. */
const unlimited = { retries: Infinity, timeout: Infinity }

/** Messages are acknowledged once more are asked for. */
export const messagesOf = (
  { acknowledge, fetch }: Messages<WaitLimits>,
  send: Send
): Stream.Stream<WebhookMessage, RunhookError> => {
  const beginning: ReadonlyArray<string> = []
  return Stream.paginate(beginning, (done) =>
    Effect.gen(function* () {
      if (done.length > 0) yield* send({ ...acknowledge(done), options: unlimited })
      const { data } = yield* send({ ...fetch, options: { ...fetch.options, ...unlimited } })
      return [data, Option.some(data.map(({ message_id }) => message_id))] as const
    })
  )
}

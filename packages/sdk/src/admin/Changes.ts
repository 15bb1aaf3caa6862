/** Follows the changes of an account, across lost connections. */
import type { Clock } from "../call/Clock.ts"
import { isWorthRetrying, pauseMs } from "../call/Retry.ts"
import type { CallOptions } from "../call/Settings.ts"
import { RunhookError } from "../Errors.ts"
import { openFile } from "../promise/OpenFile.ts"
import type { Send } from "../promise/Send.ts"
import { get } from "../requests/Describe.ts"
import type { AccountChange } from "../wire/Admin.ts"
import { eventsIn } from "./ServerEvents.ts"

export interface ChangesOptions extends Pick<CallOptions, "headers" | "signal"> {}

/** The service sends a comment every 15 seconds; after this long without one, the client reconnects. */
const silenceMaxMs = 35_000

/** The changes, until the signal aborts. After a lost connection it goes on without a gap, or reports a gap. */
export async function* follow(
  path: string,
  { clock, options, send }: { readonly send: Send; readonly clock: Clock; readonly options: ChangesOptions }
): AsyncGenerator<AccountChange, void, undefined> {
  let after: string | undefined
  let failures = 0
  const signal = options.signal ?? new AbortController().signal
  for (;;) {
    signal.throwIfAborted()
    const silence = new AbortController()
    const until = AbortSignal.any([signal, silence.signal])
    let stopWaiting = clock.after(silenceMaxMs, () => silence.abort())
    // A lost connection asks for no particular pause.
    let retryAfterMs: number | null = null
    try {
      const callOptions = { headers: options.headers, signal: until, retries: 0, timeoutMs: Infinity }
      const request = { ...get(path, callOptions, { after }), accept: "text/event-stream" }
      const { body } = await send(request, openFile)
      for await (const told of body === null ? [] : eventsIn(body)) {
        stopWaiting()
        stopWaiting = clock.after(silenceMaxMs, () => silence.abort())
        failures = 0
        if (told === null) continue
        after = told.id ?? after
        const data: AccountChange | undefined = changeIn(told)
        if (data !== undefined) yield data
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof RunhookError) {
        if (!isWorthRetrying(error, { method: "GET" })) throw error
        retryAfterMs = error.retryAfterMs
      }
    } finally {
      stopWaiting()
    }
    failures += 1
    await clock.sleep(pauseMs(failures, retryAfterMs, clock.random), signal)
  }
}

const changes = new Set(["change", "many", "reset"])

/** A greeting tells of no change, and nor do events that later versions may have. */
const changeIn = ({ data, event }: { readonly event: string; readonly data: string }) =>
  changes.has(event) ? { ...JSON.parse(data), event } : undefined

/** Waits for something that ends by itself. */
import type { Clock } from "../call/Clock.ts"
import { lookMs } from "../call/Retry.ts"
import { TimeoutError } from "../Errors.ts"
import type { Wait } from "../requests/Request.ts"
import type { WaitLimits } from "./Options.ts"
import type { Send } from "./Send.ts"

/** No limits for single requests: the wait has its own. */
const unlimited = { retries: Infinity, timeoutMs: Infinity }

/** Repeats the request until the result is final, at most every two seconds. Rejects with a `TimeoutError` after `waitMs`. */
export const waitFor = async <A>(
  { isOver, look, name }: Wait<A, WaitLimits>,
  { clock, send }: { readonly clock: Clock; readonly send: Send }
): Promise<A> => {
  const { executionId = null, options = {} } = look
  const { waitMs = Infinity } = options
  const late = new AbortController()
  const signal = AbortSignal.any([late.signal, ...(options.signal ? [options.signal] : [])])
  let attempts = 0
  const cancel = clock.after(waitMs, () => {
    const message = `${name} is not over after ${waitMs} ms`
    late.abort(new TimeoutError({ message, attempts, executionId }))
  })
  try {
    for (;;) {
      const lookedAt = clock.now()
      attempts++
      const seen = await send({ ...look, options: { ...options, ...unlimited, signal } })
      if (isOver(seen)) return seen
      await clock.sleep(Math.max(0, lookedAt + lookMs - clock.now()), signal)
    }
  } finally {
    cancel()
  }
}

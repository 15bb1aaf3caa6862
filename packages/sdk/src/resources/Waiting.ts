/** How to wait for something that ends by itself. */
import type { Clock } from "../call/Clock.ts"
import type { CallOptions } from "../call/Settings.ts"
import { TimeoutError } from "../Errors.ts"
import { lookMs } from "./Finished.ts"

/** Looks until what is seen is over, and at most every two seconds. Rejects with a `TimeoutError` after `waitMs`. */
export const waitUntil = async <A>(
  clock: Clock,
  options: {
    /** What is waited for, as the `TimeoutError` says it. */
    readonly name: string
    readonly waitMs: number | undefined
    readonly signal: CallOptions["signal"]
    readonly look: (signal: AbortSignal) => Promise<A>
    readonly isOver: (seen: A) => boolean
  }
): Promise<A> => {
  const { isOver, look, name, waitMs = Infinity } = options
  const late = new AbortController()
  const signal = AbortSignal.any([late.signal, ...(options.signal ? [options.signal] : [])])
  let attempts = 0
  const cancel = clock.after(waitMs, () => {
    late.abort(new TimeoutError({ message: `${name} is not over after ${waitMs} ms`, attempts }))
  })
  try {
    for (;;) {
      const lookedAt = clock.now()
      attempts++
      const seen = await look(signal)
      if (isOver(seen)) return seen
      await clock.sleep(Math.max(0, lookedAt + lookMs - clock.now()), signal)
    }
  } finally {
    cancel()
  }
}

/** Time and randomness of a call, so that its tests need not wait. */

export interface Clock {
  /** Milliseconds since an arbitrary moment; monotonic. */
  now(): number
  /** A number from 0 to 1, without 1. */
  random(): number
  /** Calls back after so many milliseconds, unless the returned function is called before. */
  after(milliseconds: number, act: () => void): () => void
  /** Waits. Rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Longest time that timers accept; anything longer would fire at once. */
const timerMaxMs = 2 ** 31 - 1

const after: Clock["after"] = (milliseconds, act) => {
  if (milliseconds > timerMaxMs) return () => {}
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}

export const systemClock: Clock = {
  now: () => performance.now(),
  random: Math.random,
  after,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const stop = () => {
        cancel()
        reject(signal.reason)
      }
      const cancel = after(milliseconds, () => {
        signal.removeEventListener("abort", stop)
        resolve()
      })
      signal.addEventListener("abort", stop)
    })
}

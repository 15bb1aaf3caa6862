/** Time and chance as a call sees them, so that its tests need to wait for nothing. */

export interface Clock {
  /** Milliseconds since some moment. Never goes back. */
  now(): number
  /** A number from 0 to 1, without 1. */
  random(): number
  /** Calls back after so many milliseconds, unless what it gives is called before. */
  after(milliseconds: number, act: () => void): () => void
  /** Waits. Rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Longest time that timers take; they would end anything longer at once. */
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

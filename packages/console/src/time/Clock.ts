/** The only file that reads the clock and waits. */

export const now = (): number => Date.now()

/** Runs an action once, later. Call the result to cancel it. */
export const after = (ms: number, action: () => void): (() => void) => {
  const timer = setTimeout(action, ms)
  return () => clearTimeout(timer)
}

/** Ends sooner at the signal. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve)
    signal?.addEventListener("abort", () => resolve())
  })

/** A random number from 0 to 1. */
export const chance = (): number => Math.random()

/** The only file that reads the clock and waits. */

export const now = (): number => Date.now()

/** Runs an action once, later. Call the result to cancel it. */
export const after = (ms: number, action: () => void): (() => void) => {
  const timer = setTimeout(action, ms)
  return () => clearTimeout(timer)
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A random number from 0 to 1. */
export const chance = (): number => Math.random()

/** The one place that asks what time it is, and that waits. */

export const now = (): number => Date.now()

/** Does something once, later. Call the answer to have it not done. */
export const after = (ms: number, action: () => void): (() => void) => {
  const timer = setTimeout(action, ms)
  return () => clearTimeout(timer)
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** From 0 to 1. */
export const chance = (): number => Math.random()

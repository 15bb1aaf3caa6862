/** The platform's timers, kept because a test may replace them later. */
const immediate = globalThis.setImmediate
const cancel = globalThis.clearImmediate

/** Calls back in another turn; the returned function cancels it. */
export const setImmediate = (call: () => void): (() => void) => {
  const handle = immediate(call)
  return () => cancel(handle)
}

const timeout = globalThis.setTimeout

/** Resolves in another turn of the event loop, so that a polling loop leaves turns to timers and sockets. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void immediate(resolve))

/** Resolves a moment later. */
export const shortWhile = (): Promise<void> => new Promise((resolve) => timeout(resolve, 1))

/** The timers of the platform, which a test may have put others in the place of by the time they are needed. */
const immediate = globalThis.setImmediate
const cancel = globalThis.clearImmediate

/** Calls back in another turn; the answer prevents it. */
export const setImmediate = (call: () => void): (() => void) => {
  const handle = immediate(call)
  return () => cancel(handle)
}

const timeout = globalThis.setTimeout

/** Resolves in another turn, so that whoever asks again and again lets timers and sockets have theirs. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void immediate(resolve))

/** Resolves a moment later. */
export const shortWhile = (): Promise<void> => new Promise((resolve) => timeout(resolve, 1))

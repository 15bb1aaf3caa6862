/** Waits until as many things have happened as were expected, two minutes at most. */
const waitMillisMax = 120_000

export interface Countdown {
  /** Notes that some more have happened. */
  readonly arrive: (count: number) => void
  /** Ends when all have; fails when the time is up. */
  readonly done: Promise<void>
}

export const countdown = (expected: number): Countdown => {
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  let missing = expected
  AbortSignal.timeout(waitMillisMax).addEventListener("abort", () =>
    reject(new Error(`${missing} of ${expected} are still missing`))
  )
  return {
    arrive: (count) => {
      missing -= count
      if (missing <= 0) resolve()
    },
    done: promise
  }
}

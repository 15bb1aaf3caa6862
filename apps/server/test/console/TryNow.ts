/** "Try now", beside what tries again by itself after some seconds: on a slow machine that comes first at times. */
import type { Locator } from "playwright-core"

export interface Trying {
  readonly button: Locator
  /** Makes the next try a good one. */
  readonly mend: () => void
  /** What is shown after a good one. */
  readonly shown: Locator
}

/** Presses the button as soon as the next try is a good one, and waits for what comes of it. */
export const tryNow = async ({ button, mend, shown }: Trying): Promise<void> => {
  await button.waitFor()
  mend()
  // There is nothing to press any more after a good one.
  const pressed = button.click().catch(() => undefined)
  await Promise.race([pressed, shown.waitFor()])
  await shown.waitFor()
}

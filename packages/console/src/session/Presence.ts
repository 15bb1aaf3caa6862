/** Whether the user is active on the page. */
import { now } from "../time/Clock.ts"

/** Milliseconds without a key, a click or a scroll after which the user counts as absent. */
const absentAfterMs = 5 * 60_000

let lastAt = now()

const note = () => {
  lastAt = now()
}

for (const sign of ["keydown", "pointerdown", "wheel"]) {
  addEventListener(sign, note, { capture: true, passive: true })
}

export const isUserPresent = (): boolean => now() - lastAt < absentAfterMs

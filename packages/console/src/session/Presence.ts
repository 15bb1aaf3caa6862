/** Whether somebody is at the page. */
import { now } from "../time/Clock.ts"

/** Nobody is, after so many milliseconds without a key, a click or a turn of the wheel. */
const absentAfterMs = 5 * 60_000

let lastAt = now()

const note = () => {
  lastAt = now()
}

for (const sign of ["keydown", "pointerdown", "wheel"]) {
  addEventListener(sign, note, { capture: true, passive: true })
}

export const isSomebodyThere = (): boolean => now() - lastAt < absentAfterMs

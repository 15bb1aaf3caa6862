/** The current time, updated every second while `isTicking` and the tab is visible. */
import { useLayoutEffect, useState } from "preact/hooks"
import { now } from "./Clock.ts"
import { useEvery } from "./useEvery.ts"

const everyMs = 1_000

export const useNow = (isTicking: boolean): number => {
  const [at, setAt] = useState(now)
  useLayoutEffect(() => setAt(now()), [isTicking])
  useEvery(isTicking ? everyMs : undefined, () => setAt(now()))
  return at
}

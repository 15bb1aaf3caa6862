/** The current time, updated every second while `isTicking` and the tab is visible. */
import { useEffect, useState } from "preact/hooks"
import { after, now } from "./Clock.ts"

const everyMs = 1_000

export const useNow = (isTicking: boolean): number => {
  const [at, setAt] = useState(now)
  useEffect(() => {
    if (!isTicking) return undefined
    let stop = () => {}
    const tick = () => {
      if (!document.hidden) setAt(now())
      stop = after(everyMs, tick)
    }
    tick()
    return () => stop()
  }, [isTicking])
  return at
}

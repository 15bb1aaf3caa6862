/** Does something again and again, with a pause after its end, while the view is open and its tab is visible; without a pause, never. */
import { useEffect, useRef } from "preact/hooks"
import { after } from "./Clock.ts"

export const useEvery = (ms: number | undefined, act: () => unknown): void => {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (ms === undefined) return undefined
    let isEnded = false
    let stop = () => {}
    const again = () => {
      stop = after(ms, async () => {
        if (!document.hidden) await latest.current()
        if (!isEnded) again()
      })
    }
    again()
    return () => {
      isEnded = true
      stop()
    }
  }, [ms])
}

/** Does something again and again while the view is open and its tab is visible; without a pause, never. */
import { useEffect, useRef } from "preact/hooks"
import { after } from "./Clock.ts"

export const useEvery = (ms: number | undefined, act: () => void): void => {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (ms === undefined) return undefined
    let stop = () => {}
    const again = () => {
      stop = after(ms, () => {
        if (!document.hidden) latest.current()
        again()
      })
    }
    again()
    return () => stop()
  }, [ms])
}

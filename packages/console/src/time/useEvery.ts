/** Does something again and again while the view is open and its tab is visible. */
import { useEffect, useRef } from "preact/hooks"
import { after } from "./Clock.ts"

export const useEvery = (ms: number, act: () => void): void => {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
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

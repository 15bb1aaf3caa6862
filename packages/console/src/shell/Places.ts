/** Where the user was: each entry of the browser's history keeps its scroll position. */
import { useLocation } from "./Location.ts"
import { useEffect, useLayoutEffect } from "preact/hooks"
import { chance } from "../time/Clock.ts"
import { Kept } from "../data/Kept.ts"

const positions = new Kept<number>(50)

/** Identifies the current entry of the browser's history. */
export const currentEntry = (): string => {
  const known: unknown = history.state?.entry
  if (typeof known === "string") return known
  const entry = String(chance())
  history.replaceState({ entry }, "")
  return entry
}

/** Scrolls to where the user was when they return, and to the top of what is new. */
export const usePlaces = (): void => {
  const { path, url } = useLocation()
  useEffect(() => {
    history.scrollRestoration = "manual"
    const note = () => positions.set(currentEntry(), scrollY)
    addEventListener("scroll", note, { passive: true })
    return () => removeEventListener("scroll", note)
  }, [])
  useLayoutEffect(() => {
    const before = positions.get(currentEntry())
    // A changed filter leaves the page where it is.
    if (before !== undefined) scrollTo(0, before)
  }, [url])
  useLayoutEffect(() => {
    if (positions.get(currentEntry()) === undefined) scrollTo(0, 0)
    // The row that the user comes from may have been left for another one below.
    document.activeElement?.closest("tr")?.scrollIntoView({ block: "nearest" })
  }, [path])
}

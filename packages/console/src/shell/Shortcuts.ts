/** Keyboard shortcuts for visible controls. Off while the user types, and can be switched off. */
import { useLayoutEffect, useRef } from "preact/hooks"
import { remember, remembered } from "../data/Preferences.ts"
import { Followed } from "../data/Followed.ts"
import { useLocation } from "./Location.ts"

interface Shortcut {
  /** The value of `KeyboardEvent.key`, in lower case. */
  readonly key: string
  /** What it does, for the help. */
  readonly words: string
}

interface Registered extends Shortcut {
  readonly act: () => void
}

/** The last one registered wins, since it belongs to what is in front. */
const registered = new Followed<ReadonlyArray<Registered>>([])

export const shortcuts = registered

export const areShortcutsOn = new Followed(remembered("shortcuts") !== "off")

export const switchShortcuts = (): void => {
  areShortcutsOn.value = !areShortcutsOn.value
  remember("shortcuts", areShortcutsOn.value ? "on" : "off")
}

/** Binds a key as soon as the view is seen, while it is open. Without `act`, the key does nothing at present. */
export const useShortcut = (key: string, words: string, act: (() => void) | undefined): void => {
  const latest = useRef(act)
  latest.current = act
  const isThere = act !== undefined
  useLayoutEffect(() => {
    if (!isThere) return undefined
    const mine: Registered = { key, words, act: () => latest.current?.() }
    registered.value = [...registered.value, mine]
    return () => {
      registered.value = registered.value.filter((each) => each !== mine)
    }
  }, [key, words, isThere])
}

/** Actions of the keys after a G. */
export type Leads = ReadonlyMap<string, () => void>

/** Listens until the result is called. */
export const listenForShortcuts = (leads: Leads): (() => void) => {
  let isAfterG = false
  const onKeyDown = (event: KeyboardEvent) => {
    if (!areShortcutsOn.value || isForSomebodyElse(event)) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const lead = isAfterG ? leads.get(key) : undefined
    isAfterG = key === "g" && !isAfterG
    const act = lead ?? registered.value.findLast((each) => each.key === key)?.act
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  addEventListener("keydown", onKeyDown)
  return () => removeEventListener("keydown", onKeyDown)
}

const isForSomebodyElse = (event: KeyboardEvent): boolean => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return true
  if (document.querySelector("dialog[open]") !== null) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches("input, select, textarea")) return true
  // These keys belong to the element.
  return (event.key === "Enter" || event.key === " ") && target.matches("a, button, summary, video")
}

const links = (): ReadonlyArray<HTMLElement> => [
  ...document.querySelectorAll<HTMLElement>("main table.list tbody th a")
]

const step = (by: 1 | -1) => (): void => {
  const all = links()
  const at = all.findIndex((link) => link === document.activeElement)
  const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by]
  next?.focus()
  next?.closest("tr")?.scrollIntoView({ block: "nearest" })
}

/** J and K move between the rows of a list, Backspace goes up. Enter opens, as on any link. */
export const useRowKeys = (): void => {
  const { route } = useLocation()
  useShortcut("j", "Next row", step(1))
  useShortcut("k", "Row before", step(-1))
  useShortcut("Backspace", "Up", () => {
    const up = document.querySelector<HTMLAnchorElement>("main .crumb a")?.getAttribute("href")
    if (up !== null && up !== undefined) route(up)
  })
}

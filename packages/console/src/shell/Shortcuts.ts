/** Keys that do what a visible control does too. Off while one types, and switched off for good by who wants that. */
import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { remember, remembered } from "../data/Remembered.ts"

export interface Shortcut {
  /** As `KeyboardEvent.key` has it, in lower case. */
  readonly key: string
  /** What it does, for the list of keys. */
  readonly words: string
}

interface Registered extends Shortcut {
  readonly act: () => void
}

/** The last that was registered wins, since it belongs to what is in front. */
const registered = signal<ReadonlyArray<Registered>>([])

export const shortcuts = registered

export const areShortcutsOn = signal(remembered("shortcuts") !== "off")

export const switchShortcuts = (): void => {
  areShortcutsOn.value = !areShortcutsOn.value
  remember("shortcuts", areShortcutsOn.value ? "on" : "off")
}

/** Has a key do something while the view is open. Without `act`, the key does nothing at present. */
export const useShortcut = (key: string, words: string, act: (() => void) | undefined): void => {
  const latest = useRef(act)
  latest.current = act
  const isThere = act !== undefined
  useEffect(() => {
    if (!isThere) return undefined
    const mine: Registered = { key, words, act: () => latest.current?.() }
    registered.value = [...registered.peek(), mine]
    return () => {
      registered.value = registered.peek().filter((each) => each !== mine)
    }
  }, [key, words, isThere])
}

/** What follows a G, by its key. */
export type Leads = ReadonlyMap<string, () => void>

/** Listens for as long as the page is open. */
export const listenForShortcuts = (leads: Leads): (() => void) => {
  let isAfterG = false
  const onKeyDown = (event: KeyboardEvent) => {
    if (!areShortcutsOn.peek() || isForSomebodyElse(event)) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const lead = isAfterG ? leads.get(key) : undefined
    isAfterG = key === "g" && !isAfterG
    const act = lead ?? registered.peek().findLast((each) => each.key === key)?.act
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
  // These keys are the element's own.
  return (event.key === "Enter" || event.key === " ") && target.matches("a, button, summary, video")
}

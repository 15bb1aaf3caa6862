/** Finds tasks, agents, keys, endpoints, receivers and views by part of a name; executions and deliveries by how an id or reference begins. */
import { useLocation } from "../Location.ts"
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Kept } from "../../data/Kept.ts"
import { useLoad } from "../../data/useLoad.ts"
import { savedViews } from "../../data/SavedViews.ts"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { pause } from "../../time/Clock.ts"
import { visits } from "../Visits.ts"
import { elsewhere, entriesOf, type Entry, isSearched, type Known, matching, views } from "./Entries.ts"
import { loadKnown, search } from "./Search.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { useShortcut } from "../Shortcuts.ts"

const kept = new Kept<Known>()

/** The pause after the last key before the service is asked, in milliseconds. */
const quietMs = 200

export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const { route } = useLocation()
  const id = useId()
  const [typed, setTyped] = useState("")
  const text = typed.trim()
  /** Others may come before it. */
  const [chosenHref, setChosen] = useState<string>()
  const isWaiting = useRef(false)
  const known = useLoad("known", (signal) => loadKnown(account.value, signal), kept)
  const found = useLoad(`find ${text}`, async (signal) => {
    if (!isSearched(text)) return []
    await pause(quietMs)
    signal.throwIfAborted()
    return await search(account.value, text, signal)
  })
  const saved = savedViews.value.map(({ href, name }) => ({ href, title: name, what: "Saved view" }))
  const entries: ReadonlyArray<Entry> =
    text === ""
      ? [...visits.value, ...saved, ...views]
      : [
          ...matching([...saved, ...views, ...(known.data === undefined ? [] : entriesOf(known.data))], text),
          ...(found.data ?? []),
          ...(found.isLoading ? [] : elsewhere(text))
        ]
  const at = Math.max(
    0,
    entries.findIndex(({ href }) => href === chosenHref)
  )
  const chosen = entries[at]
  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    route(entry.href)
  }
  const isLooking = text !== "" && (found.isLoading || known.isLoading)
  // An id that was pasted, with Enter at once.
  useEffect(() => {
    if (!isLooking && isWaiting.current) go(entries[0])
  }, [isLooking])
  useEffect(() => document.getElementById(`${id} ${at}`)?.scrollIntoView({ block: "nearest" }), [at])
  const step = (by: number) => () => setChosen(entries[(at + by + entries.length) % entries.length]?.href)
  const keys: { readonly [key: string]: () => void } = {
    ArrowDown: step(1),
    ArrowUp: step(-1),
    Enter: () => {
      isWaiting.current = isLooking && chosenHref === undefined
      if (!isWaiting.current) go(chosen)
    }
  }
  return (
    <>
      <input
        type="search"
        role="combobox"
        list={undefined}
        aria-label="Find"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen === undefined ? undefined : `${id} ${at}`}
        aria-busy={isLooking}
        placeholder="A name, an id, a reference, a URL"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        value={typed}
        onInput={({ currentTarget }) => {
          isWaiting.current = false
          setTyped(currentTarget.value)
          setChosen(undefined)
        }}
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (act === undefined || event.isComposing) return
          event.preventDefault()
          act()
        }}
      />
      <ul role="listbox" id={id} class="found" aria-label="Found">
        {entries.map((entry, index) => (
          <li
            key={entry.href}
            id={`${id} ${index}`}
            role="option"
            aria-selected={entry === chosen}
            onClick={() => go(entry)}
          >
            <UntrustedText text={entry.title} isBrief max={120} class="clip" />
            <span class="quiet">{entry.what}</span>
          </li>
        ))}
      </ul>
      <p class="small quiet" role="status">
        {found.error === undefined ? (isLooking ? "Looking" : help) : "Only names are found now."}
      </p>
    </>
  )
}

const help = "Ids and references are found by their beginning. Bodies of callbacks are not searched."

/** The way into the palette: a button that looks like its field, `/`, and Ctrl or Command with K. */
export const Finder = () => {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  const close = () => setOpen(false)
  useShortcut("/", "Find", open)
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (document.querySelector("dialog[open]") === null) setOpen(true)
    }
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [])
  return (
    <>
      <button type="button" class="finder" onClick={open}>
        <Icon name="find" />
        <span>Find by name, id or reference</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      {isOpen ? (
        <Dialog title={<span class="hide">Find</span>} onClose={close}>
          <Palette onClose={close} />
        </Dialog>
      ) : null}
    </>
  )
}

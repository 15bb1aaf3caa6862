/** The way into the palette: a button that looks like its field, `/`, and Ctrl or Command with K. */
import { useLayoutEffect, useState } from "preact/hooks"
import { Dialog } from "../parts/Dialog.tsx"
import { Icon } from "../parts/Icon.tsx"
import { Palette } from "./palette/Palette.tsx"
import { useShortcut } from "./Shortcuts.ts"

export const Finder = () => {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
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
        <Dialog title={<span class="hide">Find</span>} onClose={() => setOpen(false)}>
          <Palette />
        </Dialog>
      ) : null}
    </>
  )
}

/** The field on top: takes any id, URL, reference or type of event. */
import { useLocation } from "preact-iso/router"
import { useRef } from "preact/hooks"
import { Icon } from "../parts/Icon.tsx"
import { pathTo } from "./Paths.ts"
import { useShortcut } from "./Shortcuts.ts"

export const Finder = () => {
  const { route } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  useShortcut("/", "Find", () => input.current?.select())
  const find = () => {
    const text = input.current?.value.trim() ?? ""
    if (text !== "") route(pathTo("/deliveries", { q: text }))
  }
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        find()
      }}
    >
      <Icon name="find" />
      <input
        ref={input}
        type="search"
        name="find"
        aria-label="Find"
        placeholder="Find an id, URL or reference"
        autocomplete="off"
        spellcheck={false}
        maxLength={500}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  )
}

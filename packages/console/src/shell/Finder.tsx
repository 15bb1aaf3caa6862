/** The search field: takes any id, URL, reference or event type. */
import { useLocation } from "preact-iso/router"
import { useRef } from "preact/hooks"
import { useAction } from "../data/useAction.ts"
import { Icon } from "../parts/Icon.tsx"
import { account } from "../session/Session.ts"
import { findTarget } from "./FindTarget.ts"
import { useShortcut } from "./Shortcuts.ts"

export const Finder = () => {
  const { route } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  useShortcut("/", "Find", () => input.current?.select())
  const finding = useAction(
    (text: string) => findTarget(account.value, text),
    (path) => {
      if (input.current !== null) {
        input.current.value = ""
        input.current.blur()
      }
      route(path)
    }
  )
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        const text = input.current?.value.trim() ?? ""
        if (text !== "") finding.run(text)
      }}
    >
      <Icon name="find" />
      <input
        ref={input}
        type="search"
        name="find"
        aria-label="Find"
        aria-busy={finding.isRunning}
        placeholder="Find an id, URL or reference"
        autocomplete="off"
        spellcheck={false}
        maxLength={2_048}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur()
        }}
      />
      <kbd aria-hidden="true">/</kbd>
      <span class={finding.problem === undefined ? "hide" : "wrong"} role="status">
        {finding.isRunning ? "Looking" : finding.problem?.title}
      </span>
    </form>
  )
}

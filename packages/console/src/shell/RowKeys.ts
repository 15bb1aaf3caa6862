/** J and K move between the rows of a list, Backspace goes up. Enter opens, as on any link. */
import { useLocation } from "./Location.ts"
import { useShortcut } from "./Shortcuts.ts"

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

export const useRowKeys = (): void => {
  const { route } = useLocation()
  useShortcut("j", "Next row", step(1))
  useShortcut("k", "Row before", step(-1))
  useShortcut("Backspace", "Up", () => {
    const up = document.querySelector<HTMLAnchorElement>("main .crumb a")?.getAttribute("href")
    if (up !== null && up !== undefined) route(up)
  })
}

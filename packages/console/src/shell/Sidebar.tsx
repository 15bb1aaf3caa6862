/** The sidebar: navigation and account menu. On small screens it opens over the page. */
import { useLocation } from "./Location.ts"
import { useEffect, useRef } from "preact/hooks"
import { Mark } from "../parts/Icon.tsx"
import { AccountMenu } from "./AccountMenu.tsx"
import { DeadCount } from "./DeadCount.tsx"
import { currentLink, navigation } from "./Navigation.ts"
import { pathTo } from "./Paths.ts"

export const sideId = "navigation"

export const Sidebar = () => {
  const { path, url } = useLocation()
  const current = currentLink(path)
  const side = useRef<HTMLElement>(null)
  useEffect(() => {
    if (side.current?.matches(":popover-open")) side.current.hidePopover()
  }, [url])
  return (
    <nav class="side" id={sideId} popover="auto" aria-label="Console" ref={side}>
      <a class="mark" href={pathTo("/")}>
        <Mark />
        runhook
      </a>
      <ul>
        {navigation.map((link) => (
          <>
            {link.group === undefined ? null : <li class="group">{link.group}</li>}
            <li>
              <a href={pathTo(link.path)} aria-current={link === current ? "page" : undefined}>
                {link.title}
                {link.path === "/dead-letters" ? <DeadCount /> : null}
              </a>
            </li>
          </>
        ))}
      </ul>
      <AccountMenu />
    </nav>
  )
}

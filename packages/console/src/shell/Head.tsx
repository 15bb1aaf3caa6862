/** The head of a view: its title, the way up, and its actions. */
import type { ComponentChildren } from "preact"
import { useLocation } from "./Location.ts"
import { useLayoutEffect, useRef } from "preact/hooks"
import { membership } from "../session/Session.ts"

export interface HeadProps {
  /** The title of the tab, as plain text. */
  readonly title: string
  /** The heading; by default the title. */
  readonly heading?: ComponentChildren
  /** The way up: `<a href={pathTo("/deliveries")}>Deliveries</a>`. */
  readonly crumb?: ComponentChildren
  /** A line below the heading. */
  readonly children?: ComponentChildren
  readonly acts?: ComponentChildren
}

/** The path whose heading was focused last: changing a filter does not move the focus. */
let arrivedAt: string | undefined

export const Head = ({ acts, children, crumb, heading, title }: HeadProps) => {
  const { path } = useLocation()
  const name = membership.value?.name
  const h1 = useRef<HTMLHeadingElement>(null)
  // In a layout effect: the next key press must start from here.
  useLayoutEffect(() => {
    document.title = [title, name, "Runhook"].filter(Boolean).join(" - ")
  }, [title, name])
  useLayoutEffect(() => {
    // On the first view the focus stays at the top, where the skip link is.
    const hasArrived = arrivedAt !== undefined && arrivedAt !== path
    // A user who is already typing, as in the search field, is not interrupted.
    const isTyping = document.activeElement?.matches("input, select, textarea") === true
    if (hasArrived && !isTyping) h1.current?.focus({ preventScroll: true })
    arrivedAt = path
  }, [path])
  return (
    <div class="head">
      <div>
        {crumb === undefined ? null : <p class="crumb">{crumb}</p>}
        <h1 ref={h1} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {children === undefined ? null : <p class="quiet">{children}</p>}
      </div>
      {acts === undefined || acts === null ? null : <div class="acts">{acts}</div>}
    </div>
  )
}

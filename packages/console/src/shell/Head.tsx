/** The head of a view: where one is, and what can be done here. */
import type { ComponentChildren } from "preact"
import { useLocation } from "preact-iso/router"
import { useLayoutEffect, useRef } from "preact/hooks"
import { membership } from "../session/Session.ts"

export interface HeadProps {
  /** The thing, for the title of the tab, in plain words. */
  readonly title: string
  /** What stands as the heading; the title unless given. */
  readonly heading?: ComponentChildren
  /** The way up: `<a href={pathTo("/deliveries")}>Deliveries</a>`. */
  readonly crumb?: ComponentChildren
  /** A line below the heading. */
  readonly children?: ComponentChildren
  /** Buttons and links. */
  readonly acts?: ComponentChildren
}

/** The path whose heading had the focus last: filters of a view do not move it. */
let arrivedAt: string | undefined

export const Head = ({ acts, children, crumb, heading, title }: HeadProps) => {
  const { path } = useLocation()
  const name = membership.value?.name
  const h1 = useRef<HTMLHeadingElement>(null)
  // Both as soon as it is shown: whoever presses a key then comes from here.
  useLayoutEffect(() => {
    document.title = [title, name, "Runhook"].filter(Boolean).join(" - ")
  }, [title, name])
  useLayoutEffect(() => {
    // At the first view the reader begins at the top, where the skip link is.
    const hasArrived = arrivedAt !== undefined && arrivedAt !== path
    // Who types already, as in the field on top, is not interrupted.
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

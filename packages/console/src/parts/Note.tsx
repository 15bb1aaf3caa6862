/** A highlighted message: a problem, a hint or a result. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { isNothing } from "./Facts.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import type { Tone } from "./Looks.ts"

export interface NoteProps {
  readonly tone?: Tone
  readonly title?: ComponentChildren
  readonly icon?: IconName
  /** Announced to screen readers at once. Only for what the user did not cause. */
  readonly isUrgent?: boolean
  /** The message, as one paragraph. */
  readonly children?: ComponentChildren
  /** What stands below it. */
  readonly more?: ComponentChildren
  /** The buttons at its end. */
  readonly acts?: ComponentChildren
}

const icons: { readonly [tone in Tone]: IconName } = {
  good: "check",
  bad: "cross",
  warn: "alert",
  run: "clock",
  quiet: "clock"
}

export const Note = ({ acts, children, icon, isUrgent = false, more, title, tone = "quiet" }: NoteProps) => {
  const id = useId()
  return (
    <section
      class={`note is-${tone}`}
      aria-labelledby={title === undefined ? undefined : id}
      role={isUrgent ? "alert" : undefined}
    >
      <Icon name={icon ?? icons[tone]} />
      <div>
        {title === undefined ? null : <h2 id={id}>{title}</h2>}
        {isNothing(children) ? null : <p>{children}</p>}
        {more}
        {isNothing(acts) ? null : <p class="acts">{acts}</p>}
      </div>
    </section>
  )
}

export interface OnlyAdminsProps {
  readonly see: string
  /** What a viewer can look at instead. */
  readonly children?: ComponentChildren
}

/** In place of what viewers do not see: `who has access`. */
export const OnlyAdmins = ({ children, see }: OnlyAdminsProps) => (
  <Note title={`Only admins see ${see}`}>Ask an admin of this account. {children}</Note>
)

export interface QueuedProps {
  readonly title: string
  readonly href: string
  /** What it is: `execution` */
  readonly what: string
}

/** Says that something was begun, and leads to it. */
export const Queued = ({ href, title, what }: QueuedProps) => (
  <Note tone="good" title={title}>
    <a href={href}>Open the {what}</a>
  </Note>
)

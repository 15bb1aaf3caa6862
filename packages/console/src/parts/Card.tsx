/** A part of a view with a heading of its own. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface CardProps {
  readonly title: ComponentChildren
  /** Where links within the page lead. */
  readonly id?: string
  readonly children?: ComponentChildren
}

export const Card = ({ children, id, title }: CardProps) => {
  const heading = useId()
  return (
    <section class="card" id={id} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  )
}

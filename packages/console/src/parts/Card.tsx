/** A part of a view with its own heading. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface CardProps {
  readonly title: ComponentChildren
  /** The target of links within the page. */
  readonly id?: string
  readonly class?: string
  readonly children?: ComponentChildren
}

export const Card = ({ children, class: name = "card", id, title }: CardProps) => {
  const heading = useId()
  return (
    <section class={name} id={id} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  )
}

/** A part of a view around cards and lists, with its own heading. */
export const Section = (of: Omit<CardProps, "class" | "id">) => <Card {...of} class="" />

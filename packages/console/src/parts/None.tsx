/** Where there is nothing: what would be here, and how it comes to be. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface NoneProps {
  readonly title: ComponentChildren
  readonly action?: ComponentChildren
  readonly children?: ComponentChildren
}

export const None = ({ action, children, title }: NoneProps) => {
  const id = useId()
  return (
    <section class="card none" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children === undefined ? null : <p>{children}</p>}
      {action === undefined || action === null ? null : <p class="acts">{action}</p>}
    </section>
  )
}

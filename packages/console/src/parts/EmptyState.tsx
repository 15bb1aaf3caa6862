/** Shown in place of an empty list: what would appear here, and how to get there. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface EmptyStateProps {
  readonly title: ComponentChildren
  readonly action?: ComponentChildren
  readonly children?: ComponentChildren
}

export const EmptyState = ({ action, children, title }: EmptyStateProps) => {
  const id = useId()
  return (
    <section class="card none" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children === undefined ? null : <p>{children}</p>}
      {action === undefined || action === null ? null : <p class="acts">{action}</p>}
    </section>
  )
}

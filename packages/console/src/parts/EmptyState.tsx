/** Shown in place of an empty list: what would appear here, and how to get there. */
import type { ComponentChildren } from "preact"
import { Card } from "./Card.tsx"
import { isNothing } from "./Facts.tsx"

export interface EmptyStateProps {
  readonly title: ComponentChildren
  readonly action?: ComponentChildren
  readonly children?: ComponentChildren
}

export const EmptyState = ({ action, children, title }: EmptyStateProps) => (
  <Card title={title} class="card none">
    {isNothing(children) ? null : <p>{children}</p>}
    {isNothing(action) ? null : <p class="acts">{action}</p>}
  </Card>
)

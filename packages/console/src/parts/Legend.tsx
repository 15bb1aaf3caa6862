/** What the shapes of a drawing mean. Screen readers have it as a table. */
import type { ComponentChild } from "preact"

export interface LegendProps {
  /** Each shape, in a square of 12 by 12, with its meaning. */
  readonly of: ReadonlyArray<readonly [shape: ComponentChild, words: string]>
  readonly class?: string
}

export const Legend = ({ class: name = "legend", of }: LegendProps) => (
  <p class={name} aria-hidden="true">
    {of.map(([shape, words]) => (
      <span key={words}>
        <svg viewBox="0 0 12 12">{shape}</svg>
        {words}
      </span>
    ))}
  </p>
)

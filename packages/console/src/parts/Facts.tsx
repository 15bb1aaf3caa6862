/** A list of names and values. Entries without a value are left out. */
import { type ComponentChild, type ComponentChildren, Fragment } from "preact"
import { Card } from "./Card.tsx"

/** What is not shown, whoever asks for it. */
export const isNothing = (value: ComponentChild): boolean =>
  value === null || value === undefined || value === "" || value === false

export interface FactsProps {
  /** By name; or in pairs, where a name is more than a text. */
  readonly of:
    | { readonly [name: string]: ComponentChild }
    | ReadonlyArray<readonly [name: ComponentChild, value: ComponentChild]>
}

export const Facts = ({ of }: FactsProps) => (
  <dl class="facts">
    {(Array.isArray(of) ? of : Object.entries(of))
      .filter(([, value]) => !isNothing(value))
      .map(([name, value], at) => (
        <Fragment key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
)

export interface FactsCardProps extends FactsProps {
  readonly title?: string
  /** What stands below them. */
  readonly children?: ComponentChildren
}

/** The same in a card of its own. */
export const FactsCard = ({ children, of, title = "Facts" }: FactsCardProps) => (
  <Card title={title}>
    <Facts of={of} />
    {children}
  </Card>
)

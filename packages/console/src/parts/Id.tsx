/** An id, shortened unless `isWhole`; the whole id is in its title, and is what gets copied. */
import { useNames } from "../data/useNames.ts"
import { type Named, nameIn } from "../format/Choices.ts"
import { shortId } from "../format/Ids.ts"
import { pathOf } from "../shell/Paths.ts"
import { NameLink } from "./UntrustedText.tsx"

export const Id = ({ isWhole = false, of }: { readonly of: string; readonly isWhole?: boolean }) => (
  <code title={isWhole ? undefined : of}>{isWhole ? of : shortId(of)}</code>
)

export interface ThingLinkProps {
  /** The list that it is in: `tasks` */
  readonly of: string
  readonly id: string
  /** What others call it, if it has no name. */
  readonly name?: string | null
}

/** A link to a thing: by its name, or by its id as long as that is not known. */
export const ThingLink = ({ id, name, of }: ThingLinkProps) => {
  const names: { readonly [list: string]: ReadonlyArray<Named> } = { ...useNames().data }
  const shown = name ?? nameIn(names[of], id)
  const href = pathOf`/${of}/${id}`
  return shown === undefined ? (
    <a href={href}>
      <Id of={id} />
    </a>
  ) : (
    <NameLink href={href} text={shown} max={60} />
  )
}

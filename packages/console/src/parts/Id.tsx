/** Ids, and links to what they are of. */
import { useNames } from "../data/useNames.ts"
import { type Named, nameIn } from "../format/Choices.ts"
import { shortId } from "../format/Ids.ts"
import { pathOf } from "../shell/Paths.ts"
import { Copy } from "./Copy.tsx"
import { NameLink } from "./UntrustedText.tsx"

export interface IdProps {
  readonly of: string
}

/** A shortened id; the whole one is in its title. */
export const Id = ({ of }: IdProps) => <code title={of}>{shortId(of)}</code>

/** A whole id, with a button that copies it. */
export const WholeId = ({ of }: IdProps) => (
  <>
    <code>{of}</code> <Copy text={of} of="id" />
  </>
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

/** An id, shortened unless `isWhole`; the whole id is in its title, and is what gets copied. */
import { shortId } from "../format/Ids.ts"
import { NameLink } from "./UntrustedText.tsx"

export const Id = ({ isWhole = false, of }: { readonly of: string; readonly isWhole?: boolean }) => (
  <code title={isWhole ? undefined : of}>{isWhole ? of : shortId(of)}</code>
)

export interface ThingLinkProps {
  readonly href: string
  readonly id: string
  /** In place of the id, where it is known. */
  readonly name?: string | null | undefined
}

/** A link to a thing, by its name or its id. */
export const ThingLink = ({ href, id, name }: ThingLinkProps) =>
  typeof name === "string" ? (
    <NameLink href={href} text={name} max={60} />
  ) : (
    <a href={href}>
      <Id of={id} />
    </a>
  )

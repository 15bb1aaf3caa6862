/** A link to a key, by its name once that is known. */
import { useNames } from "../../data/Data.ts"
import { nameIn } from "../../format/Choices.ts"
import { ThingLink } from "../../parts/Parts.ts"
import { pathOf } from "../../shell/Shell.ts"

export const KeyLink = ({ id }: { readonly id: string }) => (
  <ThingLink href={pathOf`/keys/${id}`} id={id} name={nameIn(useNames().data?.keys, id)} />
)

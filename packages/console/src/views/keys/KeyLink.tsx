/** A link to a key, by its name once that is known. */
import { useLoad } from "../../data/Data.ts"
import { ThingLink } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Shell.ts"

export const KeyLink = ({ id }: { readonly id: string }) => {
  const { data } = useLoad(`key ${id}`, (signal) => account.value.keys.get(id, { signal }))
  return <ThingLink href={pathOf`/keys/${id}`} id={id} name={data?.name} />
}

/** A link to a key, by its name once that is known. */
import { useLoad } from "../../data/useLoad.ts"
import { Id, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Paths.ts"

export const KeyLink = ({ id }: { readonly id: string }) => {
  const { data } = useLoad(`key ${id}`, (signal) => account.value.keys.get(id, { signal }))
  return (
    <a href={pathOf`/keys/${id}`}>
      {data === undefined ? <Id of={id} /> : <UntrustedText text={data.name} isBrief max={60} />}
    </a>
  )
}

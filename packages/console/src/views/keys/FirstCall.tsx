/** Waits for the first call of a new key. */
import { useLoad } from "../../data/Data.ts"
import { Moment, prose, Status } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { useEvery } from "../../time/useEvery.ts"

/** The use of a key is stored once a second without an event, so this polls. */
const everyMs = 2_000

export const FirstCall = ({ id }: { readonly id: string }) => {
  const { data, reload } = useLoad(`first call of ${id}`, (signal) => account.value.keys.get(id, { signal }))
  const usedAt = data?.last_used_at ?? null
  useEvery(everyMs, () => {
    if (usedAt === null) reload()
  })
  return (
    <p role="status">
      {usedAt === null ? (
        <Status of="running" word="Waiting for the first call of this key" />
      ) : (
        <>
          <Status of="completed" word="First call received" /> at <Moment at={usedAt} isExact />
          {data?.last_used_from ? prose` from ${<code>{data.last_used_from}</code>}` : null}
        </>
      )}
    </p>
  )
}

/** Waits for the first call of a new key. */
import { useEffect } from "preact/hooks"
import { useLoad } from "../../data/useLoad.ts"
import { Moment } from "../../parts/Moment.tsx"
import { Status } from "../../parts/Status.tsx"
import { account } from "../../session/Session.ts"
import { after } from "../../time/Clock.ts"

/** The use of a key is stored once a second without an event, so this polls. */
const everyMs = 2_000

export const FirstCall = ({ id }: { readonly id: string }) => {
  const { data, error, reload } = useLoad(`first call of ${id}`, (signal) =>
    account.value.keys.get(id, { signal })
  )
  const usedAt = data?.last_used_at ?? null
  useEffect(
    () => (usedAt === null && !document.hidden ? after(everyMs, reload) : undefined),
    [data, error, usedAt]
  )
  useEffect(() => {
    document.addEventListener("visibilitychange", reload)
    return () => document.removeEventListener("visibilitychange", reload)
  }, [reload])
  return (
    <p role="status">
      {usedAt === null ? (
        <Status of="running" word="Waiting for the first call of this key" />
      ) : (
        <>
          <Status of="completed" word="First call came" /> at <Moment at={usedAt} isExact />
          {data?.last_used_from ? (
            <>
              {" "}
              from <code>{data.last_used_from}</code>
            </>
          ) : null}
        </>
      )}
    </p>
  )
}

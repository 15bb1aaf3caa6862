/** The number of dead letters, beside the link to them; nothing if there are none. */
import { signal } from "@preact/signals"
import type { Overview } from "@runhook/sdk/admin"
import { useLocation } from "preact-iso/router"
import { useEffect } from "preact/hooks"
import { useLoad } from "../data/useLoad.ts"
import { boundedWords } from "../format/Amounts.ts"
import { useLive } from "../live/Live.ts"
import { account } from "../session/Session.ts"
import { pathTo } from "./Paths.ts"

interface DeadLetters extends Pick<Overview, "counts_to" | "dead_letters"> {
  readonly accountId: string
}

/** The overview tells it too, since it asks for the same numbers. */
export const deadLetters = signal<DeadLetters | undefined>(undefined)

export const DeadCount = () => {
  const { id, usage } = account.value
  const isTold = useLocation().path === pathTo("/")
  const { data, reload } = useLoad(`dead letters ${id} ${isTold}`, async (ended) =>
    isTold ? undefined : { accountId: id, ...(await usage.overview({ signal: ended })) }
  )
  useEffect(() => {
    if (data !== undefined) deadLetters.value = data
  }, [data])
  useLive(isTold ? undefined : "delivery", (changes) => {
    // Most deliveries never become one.
    if (changes === undefined || changes.some(({ state }) => state !== "delivered")) reload()
  })
  const shown = deadLetters.value
  if (shown?.accountId !== id || shown.dead_letters === 0) return null
  return <span class="num quiet">{boundedWords(shown.dead_letters, shown.counts_to)}</span>
}

/** The number of dead letters, beside the link to them; nothing if there are none. */
import type { Overview } from "@runhook/sdk/admin"
import { useLocation } from "./Location.ts"
import { useLoad } from "../data/useLoad.ts"
import { boundedWords } from "../format/Amounts.ts"
import { useLive } from "../live/Live.ts"
import { account } from "../session/Session.ts"
import { pathTo } from "./Paths.ts"
import { Followed, useFollowed } from "../data/Followed.ts"

interface Counts extends Overview {
  readonly accountId: string
}

/** The counts as they are now. They are asked for once, here or by the overview, and other views show them too. */
export const counts = new Followed<Counts | undefined>(undefined)

export const DeadCount = () => {
  const { id, usage } = account.value
  const { path } = useLocation()
  const isTold = path === pathTo("/")
  const isCounting = path === pathTo("/executions")
  const { reload } = useLoad(`counts ${isTold}`, async (signal) => {
    if (!isTold) counts.value = { accountId: id, ...(await usage.overview({ signal })) }
  })
  useLive(isTold ? undefined : isCounting ? ["delivery", "execution"] : "delivery", async (changes) => {
    // Most deliveries never become a dead letter.
    if (changes?.some(({ kind, state }) => kind === "execution" || state !== "delivered") !== false)
      await reload()
  })
  const shown = useFollowed(counts)
  if (shown?.accountId !== id || shown.dead_letters === 0) return null
  return <span class="num quiet">{boundedWords(shown.dead_letters, shown.counts_to)}</span>
}

/** The number of dead letters, beside the link to them; nothing if there are none. */
import { useLoad } from "../data/useLoad.ts"
import { countWords } from "../format/Amounts.ts"
import { useLive } from "../live/Live.ts"
import { account } from "../session/Session.ts"

export const DeadCount = () => {
  const { id, usage } = account.value
  const { data, reload } = useLoad(`overview ${id}`, (signal) => usage.overview({ signal }))
  useLive("delivery", (changes) => {
    // Most deliveries never become one.
    if (changes === undefined || changes.some(({ state }) => state !== "delivered")) reload()
  })
  if (data === undefined || data.dead_letters === 0) return null
  return (
    <span class="num quiet">
      {countWords(data.dead_letters)}
      {data.dead_letters >= data.counts_to ? "+" : ""}
    </span>
  )
}

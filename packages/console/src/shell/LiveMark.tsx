/** Shows whether the page is live; pressing it freezes and unfreezes the page. */
import { useFollowed } from "../data/Followed.ts"
import { momentWords, utcWords } from "../format/Moments.ts"
import { isHeld, type LiveState, liveState, switchHeld } from "../live/Live.ts"
import { now } from "../time/Clock.ts"
import { zone } from "../time/Zone.ts"
import { useShortcut } from "./Shortcuts.ts"

export const LiveMark = () => {
  useShortcut(".", "Pause or resume live updates", switchHeld)
  const isPaused = useFollowed(isHeld)
  const { name, title, words } = describe(useFollowed(liveState))
  return (
    <button
      type="button"
      class={`bare live ${name}`}
      aria-pressed={isPaused}
      aria-label={`${words}. Hold the page as it is`}
      title={title}
      onClick={switchHeld}
    >
      {words}
    </button>
  )
}

interface Look {
  readonly name: string
  readonly words: string
  readonly title?: string
}

const describe = (state: LiveState): Look => {
  if (isHeld.value) return { name: "paused", words: "Paused", title: "Updates are paused" }
  if (state._tag === "Live") return { name: "", words: "Live", title: "This page updates by itself" }
  if (state._tag !== "Lost") return { name: "paused", words: state._tag }
  const since = new Date(state.since)
  const words = `Not live since ${momentWords(since, { zone: zone.value, now: now() })}`
  return { name: "off", words, title: utcWords(since) }
}

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

const describe = (
  state: LiveState
): { readonly name: string; readonly words: string; readonly title?: string } => {
  if (isHeld.value) return { name: "paused", words: "Paused", title: "Updates are paused" }
  switch (state._tag) {
    case "Live":
      return { name: "", words: "Live", title: "This page updates by itself" }
    case "Connecting":
      return { name: "paused", words: "Connecting" }
    case "Paused":
      return { name: "paused", words: "Paused" }
    case "Lost": {
      const since = new Date(state.since)
      return {
        name: "off",
        words: `Not live since ${momentWords(since, { zone: zone.value, now: now() })}`,
        title: utcWords(since)
      }
    }
  }
}

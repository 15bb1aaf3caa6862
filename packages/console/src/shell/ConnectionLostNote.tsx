/** Says that the live connection is lost, since when, and when the next attempt is. */
import { useFollowed } from "../data/Followed.ts"
import { durationWords } from "../format/Amounts.ts"
import { liveState } from "../live/Live.ts"
import { Moment } from "../parts/Moment.tsx"
import { limitedFor } from "../session/Session.ts"
import { Note } from "../parts/Note.tsx"
import { prose } from "../parts/Prose.ts"
import { now } from "../time/Clock.ts"
import { useNow } from "../time/useNow.ts"

/** Says at once that the service wants fewer requests, while the page waits. */
export const LimitedNote = () => {
  const seconds = useFollowed(limitedFor)
  return seconds === 0 ? null : (
    <div class="lost" role="status">
      <Note title={`Too many requests: a pause of ${seconds} s`}>
        This page goes on by itself. API keys have limits of their own.
      </Note>
    </div>
  )
}

export const ConnectionLostNote = ({ onRetry }: { readonly onRetry?: () => void }) => {
  const state = useFollowed(liveState)
  useNow(state._tag === "Lost")
  if (state._tag !== "Lost") return null
  const leftMs = Math.max(0, state.retryAt - now())
  return (
    <div class="lost">
      <Note
        tone="warn"
        title={prose`Connection lost at ${<Moment at={new Date(state.since).toISOString()} />}`}
        acts={
          onRetry === undefined ? null : (
            <button type="button" onClick={onRetry}>
              Try now
            </button>
          )
        }
      >
        What you see is from then.{" "}
        <span class="num">
          {leftMs === 0
            ? "Trying again"
            : `Trying again in ${durationWords(Math.ceil(leftMs / 1_000) * 1_000)}`}
        </span>
        ; nothing will be missed.
      </Note>
    </div>
  )
}

/** Says that nothing changes by itself any more, since when, and when that is tried again. */
import { useEffect, useState } from "preact/hooks"
import { durationWords } from "../format/Amounts.ts"
import { liveState } from "../live/Live.ts"
import { Moment } from "../parts/Moment.tsx"
import { Note } from "../parts/Note.tsx"
import { after, now } from "../time/Clock.ts"

export const LostNote = ({ onRetry }: { readonly onRetry?: () => void }) => {
  const state = liveState.value
  const [, setTick] = useState(0)
  const isLost = state._tag === "Lost"
  useEffect(() => {
    if (!isLost) return undefined
    let stop = () => {}
    const tick = () => {
      setTick((before) => before + 1)
      stop = after(1_000, tick)
    }
    tick()
    return () => stop()
  }, [isLost])
  if (state._tag !== "Lost") return null
  const leftMs = Math.max(0, state.retryAt - now())
  return (
    <div class="lost">
      <Note
        tone="warn"
        title={
          <>
            Connection lost at <Moment at={new Date(state.since).toISOString()} />
          </>
        }
      >
        <p>
          What you see is from then.{" "}
          <span class="num">
            {leftMs === 0
              ? "Trying again"
              : `Trying again in ${durationWords(Math.ceil(leftMs / 1_000) * 1_000)}`}
          </span>
          ; nothing will be missed.
        </p>
        {onRetry === undefined ? null : (
          <p class="acts">
            <button type="button" onClick={onRetry}>
              Try now
            </button>
          </p>
        )}
      </Note>
    </div>
  )
}

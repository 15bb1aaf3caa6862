/** One stream for all tabs of an account: one of them follows, and tells the others. */
import { after } from "../time/Clock.ts"
import { followChanges, tryNow } from "./Following.ts"
import { liveState, type LiveState, tell } from "./Live.ts"
import type { SseEvent } from "./Sse.ts"
import { toldBy } from "./Told.ts"

/** Between tabs. */
type Message =
  | { readonly _tag: "Event"; readonly event: SseEvent }
  | { readonly _tag: "State"; readonly state: LiveState }
  /** A tab that has just come asks how things stand. */
  | { readonly _tag: "Ask" }
  | { readonly _tag: "TryNow" }

/** A tab that nobody has looked at for so long follows no more, until somebody does. In milliseconds. */
const hiddenMaxMs = 300_000

const post = new Set<(message: Message) => void>()

/** Has whichever tab follows try again at once. */
export const retryLive = (): void => {
  tryNow()
  for (const each of post) each({ _tag: "TryNow" })
}

/** Begins to hear of the account's changes. Call the answer to end it. */
export const shareChanges = (accountId: string, onSignedOut: () => void): (() => void) => {
  const name = `runhook changes ${accountId}`
  const channel = new BroadcastChannel(name)
  const send = (message: Message) => channel.postMessage(message)
  let position: string | undefined
  let isLeading = false
  let ended = new AbortController()
  let stopCounting = () => {}

  const hear = (event: SseEvent) => {
    position = event.id ?? position
    const told = toldBy(event)
    if (told !== undefined) tell(told)
  }
  const show = (state: LiveState) => {
    const wasLost = liveState.peek()._tag === "Lost"
    liveState.value = state
    // What views fetched meanwhile may have failed, whatever the stream has made up for.
    if (wasLost && state._tag === "Live") tell({ _tag: "Anew", kinds: undefined })
  }

  channel.addEventListener("message", ({ data: message }: MessageEvent<Message>) => {
    if (message._tag === "Event") hear(message.event)
    else if (message._tag === "State") show(message.state)
    else if (message._tag === "TryNow") tryNow()
    else if (isLeading) send({ _tag: "State", state: liveState.peek() })
  })

  const lead = async (signal: AbortSignal) => {
    isLeading = true
    await followChanges({
      accountId,
      signal,
      onSignedOut,
      position: () => position,
      onEvent: (event) => {
        hear(event)
        send({ _tag: "Event", event })
      },
      onState: (state) => {
        show(state)
        send({ _tag: "State", state })
      }
    })
    isLeading = false
  }

  /** Waits for its turn; where the browser has no locks, each tab follows by itself. */
  const follow = () => {
    const { signal } = ended
    const turn: Promise<void> =
      navigator.locks === undefined
        ? lead(signal)
        : navigator.locks.request(name, { signal }, () => lead(signal))
    turn.catch(() => {
      // It was ended before its turn came.
    })
    send({ _tag: "Ask" })
  }

  const look = () => {
    stopCounting()
    if (document.hidden) {
      stopCounting = after(hiddenMaxMs, () => {
        ended.abort()
        show({ _tag: "Paused" })
      })
    } else if (ended.signal.aborted) {
      ended = new AbortController()
      follow()
    }
  }

  post.add(send)
  document.addEventListener("visibilitychange", look)
  follow()
  look()
  return () => {
    stopCounting()
    post.delete(send)
    document.removeEventListener("visibilitychange", look)
    ended.abort()
    channel.close()
  }
}

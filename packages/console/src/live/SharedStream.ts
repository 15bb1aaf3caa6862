/** One stream for all tabs of an account: one of them follows it, and forwards it to the others. */
import { after } from "../time/Clock.ts"
import { followChanges, tryNow } from "./ChangeStream.ts"
import { type Change, type LiveKind, liveState, type LiveState, type LiveUpdate, publish } from "./Live.ts"
import type { SseEvent } from "./Sse.ts"

/** Between tabs. */
type Message =
  | { readonly _tag: "Event"; readonly event: SseEvent }
  | { readonly _tag: "State"; readonly state: LiveState }
  /** A newly opened tab asks for the current state. */
  | { readonly _tag: "Ask" }
  | { readonly _tag: "TryNow" }

/** A tab that has been hidden for so long stops following until it is visible again. In milliseconds. */
const hiddenMaxMs = 300_000

const post = new Set<(message: Message) => void>()

/** Makes the following tab retry at once. */
export const retryLive = (): void => {
  tryNow()
  for (const each of post) each({ _tag: "TryNow" })
}

/** Starts listening to the account's changes. Call the result to stop. */
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
    const told = readEvent(event)
    if (told !== undefined) publish(told)
  }
  const show = (state: LiveState) => {
    const wasLost = liveState.value._tag === "Lost"
    liveState.value = state
    // Fetches of views may have failed meanwhile, even if the stream missed nothing.
    if (wasLost && state._tag === "Live") publish({ _tag: "Anew", kinds: undefined })
  }

  channel.addEventListener("message", ({ data: message }: MessageEvent<Message>) => {
    if (message._tag === "Event") hear(message.event)
    else if (message._tag === "State") show(message.state)
    else if (message._tag === "TryNow") tryNow()
    else if (isLeading) send({ _tag: "State", state: liveState.value })
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

  /** Waits until this tab leads; where the browser has no locks, every tab does. */
  const follow = () => {
    const { signal } = ended
    const turn: Promise<void> =
      navigator.locks === undefined
        ? lead(signal)
        : navigator.locks.request(name, { signal }, () => lead(signal))
    turn.catch(() => {
      // It was ended before it led.
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

/** The service guarantees the form of its events, so they are not checked; unknown ones of a later version are ignored. */
export const readEvent = ({ data, name }: SseEvent): LiveUpdate | undefined => {
  switch (name) {
    case "hello": {
      const { is_resumed: isResumed }: { readonly is_resumed: boolean } = JSON.parse(data)
      // Changes between the first load of a view and this moment were not reported.
      return isResumed ? undefined : { _tag: "Anew", kinds: undefined }
    }
    case "change": {
      const change: Change = JSON.parse(data)
      return { _tag: "Change", change }
    }
    case "many": {
      const { kinds }: { readonly kinds: ReadonlyArray<LiveKind> } = JSON.parse(data)
      return { _tag: "Anew", kinds }
    }
    case "reset":
      return { _tag: "Anew", kinds: undefined }
    default:
      return undefined
  }
}

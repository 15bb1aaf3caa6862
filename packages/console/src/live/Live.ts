/** Live changes of the account: views subscribe to topics, and fetch their data again. */
import { useEffect, useRef } from "preact/hooks"
import { after, now, pause } from "../time/Clock.ts"
import { Followed } from "../data/Followed.ts"

export type LiveKind = "execution" | "delivery" | "key" | "agent" | "task" | "replay" | "audit" | "schedule"

/** What the account's stream of changes reports. */
export interface Change {
  readonly kind: LiveKind
  readonly id: string
  readonly state?: string | null
  readonly is_new?: boolean
}

export type LiveUpdate =
  | { readonly _tag: "Change"; readonly change: Change }
  /** Too many changes at once, or an unknown position: views fetch everything again. */
  | { readonly _tag: "Anew"; readonly kinds: ReadonlyArray<LiveKind> | undefined }

export type LiveState =
  | { readonly _tag: "Connecting" }
  | { readonly _tag: "Live" }
  /** The tab has been hidden for long. */
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Lost"; readonly since: number; readonly retryAt: number }

export const liveState = new Followed<LiveState>({ _tag: "Connecting" })

/** Whether the user froze what is on the screen. */
export const isHeld = new Followed(false)

export const switchHeld = (): void => {
  isHeld.value = !isHeld.value
}

/** How many acts are under way that may remove what is on the screen. */
const acting = new Followed(0)

/** Refetches nothing while it acts, so that no view asks for what is being removed. */
export const undisturbed = async <A>(act: () => Promise<A>): Promise<A> => {
  acting.value += 1
  try {
    return await act()
  } finally {
    acting.value -= 1
  }
}

type Listener = (told: LiveUpdate) => void

const listeners = new Set<Listener>()

/** Longest time that the first calls of the page wait for its stream, in milliseconds. */
const openingMaxMs = 1_000

const opened = new Promise<void>((resolve) => {
  liveState.follow(() => {
    if (liveState.value._tag !== "Connecting") resolve()
  })
})

let hasRead = false

/** What is read once changes are followed is not read again for those that came between. */
export const untilFollowed = async (): Promise<void> => {
  if (!hasRead) await Promise.race([opened, pause(openingMaxMs)])
  hasRead = true
}

/** Calls `listener` with everything that is published. */
export const hear = (listener: Listener): void => {
  listeners.add(listener)
}

/** Notifies every view that listens. What no view has read yet, none reads again. */
export const publish = (told: LiveUpdate): void => {
  if (hasRead) for (const listener of listeners) listener(told)
}

/** Time until a failed fetch is repeated, in milliseconds. */
const againMs = 5_000

/** Shortest time between two fetches of one view because of changes, in milliseconds. */
const pauseMs = 1_000

interface LiveTopic {
  readonly kind: LiveKind
  /** Only changes of this object. */
  readonly id?: string
}

type Topics = LiveKind | LiveTopic | ReadonlyArray<LiveKind | LiveTopic> | undefined

/**
 * Refetches a view's data after changes: at most once a second, one fetch at a time,
 * and not while the tab is hidden or the page is frozen, but once afterwards.
 * `changes` is undefined when it is not known what has changed. A `refetch` that
 * resolves to `false`, or rejects, has failed and is called again.
 *
 * ```ts
 * useLive({ kind: "delivery", id }, reload)
 * ```
 */
export const useLive = (
  topics: Topics,
  refetch: (changes: ReadonlyArray<Change> | undefined) => unknown
): void => {
  const latest = useRef({ topics, refetch })
  // What has changed stays known when the topics become others.
  latest.current = { topics, refetch }

  useEffect(() => {
    let changes: Array<Change> | undefined = []
    let isDirty = false
    let isBusy = false
    let isEnded = false
    let lastAt = 0
    let cancel = () => {}

    const look = () => {
      if (!isDirty || isBusy || isEnded || document.hidden || isHeld.value) return
      cancel()
      cancel = after(Math.max(0, lastAt + pauseMs - now()), fetchNow)
    }
    const fetchNow = async () => {
      if (acting.value > 0) return
      const missed = changes
      changes = []
      isDirty = false
      isBusy = true
      lastAt = now()
      const hasFailed = await Promise.resolve(latest.current.refetch(missed)).then(
        (answer) => answer === false,
        () => true
      )
      isBusy = false
      if (hasFailed && !isEnded) {
        changes = undefined
        isDirty = true
        lastAt = now() + againMs - pauseMs
      }
      look()
    }
    const listener: Listener = (told) => {
      const isWanted = [latest.current.topics ?? []].flat().some((topic) => {
        const { id, kind }: LiveTopic = typeof topic === "string" ? { kind: topic } : topic
        return told._tag === "Change"
          ? kind === told.change.kind && (id ?? told.change.id) === told.change.id
          : told.kinds?.includes(kind) !== false
      })
      if (!isWanted) return
      if (told._tag === "Change") changes?.push(told.change)
      else changes = undefined
      isDirty = true
      look()
    }
    listeners.add(listener)
    document.addEventListener("visibilitychange", look)
    const stopHolding = isHeld.follow(look)
    const stopWaiting = acting.follow(look)
    return () => {
      isEnded = true
      cancel()
      listeners.delete(listener)
      document.removeEventListener("visibilitychange", look)
      stopHolding()
      stopWaiting()
    }
  }, [])
}

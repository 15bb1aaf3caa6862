/** Changes of the account, as they come: views say what they want to hear of, and fetch what they show. */
import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { after, now } from "../time/Clock.ts"
import type { Change, LiveKind, Told } from "./Change.ts"

export type { Change, LiveKind } from "./Change.ts"

export type LiveState =
  | { readonly _tag: "Connecting" }
  | { readonly _tag: "Live" }
  /** The reader stopped it, or does not look at this tab. */
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Lost"; readonly since: number; readonly retryAt: number }

export const liveState = signal<LiveState>({ _tag: "Connecting" })

/** Whether the reader wants what is on the screen to stay as it is. */
export const isHeld = signal(false)

export const switchHeld = (): void => {
  isHeld.value = !isHeld.value
}

type Listener = (told: Told) => void

const listeners = new Set<Listener>()

/** Tells every view that listens. */
export const tell = (told: Told): void => {
  for (const listener of listeners) listener(told)
}

/** Time before what could not be fetched is fetched again, in milliseconds. */
const againMs = 5_000

/** Shortest time between two fetches of one view that follow changes, in milliseconds. */
const pauseMs = 1_000

export interface LiveTopic {
  readonly kind: LiveKind
  /** Only changes of this one. */
  readonly id?: string
}

type Topics = LiveKind | LiveTopic | ReadonlyArray<LiveKind | LiveTopic> | undefined

const topicsOf = (topics: Topics): ReadonlyArray<LiveTopic> =>
  (topics === undefined ? [] : Array.isArray(topics) ? topics : [topics]).map((topic) =>
    typeof topic === "string" ? { kind: topic } : topic
  )

/**
 * Fetches what a view shows when something about it has changed: at most once a
 * second, not while another fetch is under way, and not while the tab is hidden
 * or the reader holds the page; what was missed then is made up for after it.
 * `changes` is undefined when nobody knows what has changed. A `refetch` that
 * answers `false`, or rejects, has failed and is called again.
 *
 * ```ts
 * useLive({ kind: "delivery", id }, reload)
 * ```
 */
export const useLive = (
  topics: Topics,
  refetch: (changes: ReadonlyArray<Change> | undefined) => unknown
): void => {
  const latest = useRef(refetch)
  latest.current = refetch
  const wanted = topicsOf(topics)
  const key = wanted.map(({ id, kind }) => `${kind} ${id ?? ""}`).join()

  useEffect(() => {
    if (wanted.length === 0) return undefined
    let changes: Array<Change> | undefined = []
    let isDirty = false
    let isBusy = false
    let isEnded = false
    let lastAt = 0
    let cancel = () => {}

    const look = () => {
      if (!isDirty || isBusy || isEnded || document.hidden || isHeld.peek()) return
      cancel()
      cancel = after(Math.max(0, lastAt + pauseMs - now()), fetchNow)
    }
    const fetchNow = async () => {
      const missed = changes
      changes = []
      isDirty = false
      isBusy = true
      lastAt = now()
      const hasFailed = await Promise.resolve(latest.current(missed)).then(
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
      if (told._tag === "Change") {
        const { change } = told
        if (!wanted.some(({ id, kind }) => kind === change.kind && (id ?? change.id) === change.id)) return
        changes?.push(change)
      } else {
        if (told.kinds !== undefined && !wanted.some(({ kind }) => told.kinds?.includes(kind))) return
        changes = undefined
      }
      isDirty = true
      look()
    }
    listeners.add(listener)
    document.addEventListener("visibilitychange", look)
    const stopHolding = isHeld.subscribe(look)
    return () => {
      isEnded = true
      cancel()
      listeners.delete(listener)
      document.removeEventListener("visibilitychange", look)
      stopHolding()
    }
  }, [key])
}

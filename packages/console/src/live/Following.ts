/** One connection to the account's stream of changes, made again whenever it is lost. */
import { after, chance, now } from "../time/Clock.ts"
import type { LiveState } from "./Live.ts"
import { type SseEvent, sseReader } from "./Sse.ts"

export interface Following {
  readonly accountId: string
  /** Where to go on, which grows with what was told. */
  readonly position: () => string | undefined
  readonly onEvent: (event: SseEvent) => void
  readonly onState: (state: LiveState) => void
  /** The session is over: nothing is tried again. */
  readonly onSignedOut: () => void
  readonly signal: AbortSignal
}

/** Longest silence; the service says something every 15 seconds. In milliseconds, as all of these. */
const silenceMaxMs = 35_000

const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000]

/** Up to a fifth less, so that those who lost the same service do not come back all at once. */
export const waitMs = (failures: number, random: number): number =>
  (waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0) * (0.8 + 0.2 * random)

class SignedOut extends Error {}

/** The service said how long it wants to be left alone. */
class Asked extends Error {
  readonly afterMs: number

  constructor(afterMs: number) {
    super("The service asked for a pause")
    this.afterMs = afterMs
  }
}

/** Follows until the signal ends it. */
export const followChanges = async (following: Following): Promise<void> => {
  const { onEvent, onSignedOut, onState, signal } = following
  let failures = 0
  let since: number | undefined
  onState({ _tag: "Connecting" })
  while (!signal.aborted) {
    let askedMs = 0
    try {
      await read(following, (event) => {
        if (event.name === "hello") {
          failures = 0
          since = undefined
          onState({ _tag: "Live" })
        }
        onEvent(event)
      })
    } catch (error) {
      if (error instanceof SignedOut) return onSignedOut()
      if (error instanceof Asked) askedMs = error.afterMs
    }
    if (signal.aborted) return
    since ??= now()
    const pauseMs = Math.max(askedMs, waitMs(failures, chance()))
    // A service that restarts ends every stream: the first try again is no loss yet.
    onState(failures === 0 ? { _tag: "Connecting" } : { _tag: "Lost", since, retryAt: now() + pauseMs })
    failures += 1
    await wait(pauseMs, signal)
  }
}

/** Reads one answer to its end, or until it has been silent for too long. */
const read = async (
  { accountId, position, signal }: Following,
  onEvent: (event: SseEvent) => void
): Promise<void> => {
  const silent = new AbortController()
  let stopWatch = after(silenceMaxMs, () => silent.abort())
  const isHeard = () => {
    stopWatch()
    stopWatch = after(silenceMaxMs, () => silent.abort())
  }
  const at = position()
  // Without a network no silence is needed to know that it is lost.
  const lose = () => silent.abort()
  addEventListener("offline", lose)
  try {
    const answer = await fetch(`/api/v1/admin/accounts/${encodeURIComponent(accountId)}/changes`, {
      headers: {
        accept: "text/event-stream",
        "x-runhook-console": "1",
        ...(at === undefined ? {} : { "last-event-id": at })
      },
      signal: AbortSignal.any([signal, silent.signal])
    })
    if (answer.status === 401) throw new SignedOut()
    if (!answer.ok || answer.body === null) {
      throw new Asked(Number(answer.headers.get("retry-after") ?? 0) * 1_000 || 0)
    }
    const events = sseReader()
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      isHeard()
      for (const event of events(value)) onEvent(event)
    }
  } finally {
    stopWatch()
    removeEventListener("offline", lose)
  }
}

const wakers = new Set<() => void>()

/** Ends every pause at once, as the button does. */
export const tryNow = (): void => {
  for (const wake of wakers) wake()
}

/** Waits, but not longer than until there is a network again or somebody looks. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      stop()
      wakers.delete(wake)
      removeEventListener("online", wake)
      document.removeEventListener("visibilitychange", wake)
      signal.removeEventListener("abort", wake)
      resolve()
    }
    const stop = after(ms, wake)
    wakers.add(wake)
    addEventListener("online", wake)
    document.addEventListener("visibilitychange", wake)
    signal.addEventListener("abort", wake)
  })

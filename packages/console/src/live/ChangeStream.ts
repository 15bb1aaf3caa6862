/** Follows the account's stream of changes, and reconnects whenever the connection is lost. */
import { service } from "../shell/Paths.ts"
import { after, chance, now } from "../time/Clock.ts"
import type { LiveState } from "./Live.ts"
import { type SseEvent, sseReader } from "./Sse.ts"

export interface StreamOptions {
  readonly accountId: string
  /** The position behind the last event. */
  readonly position: () => string | undefined
  readonly onEvent: (event: SseEvent) => void
  readonly onState: (state: LiveState) => void
  /** The session is over; there is no further attempt. */
  readonly onSignedOut: () => void
  readonly signal: AbortSignal
}

/** Longest silence; the service sends a comment every 15 seconds. All times here are in milliseconds. */
const silenceMaxMs = 35_000

const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000]

/** Up to a fifth less, so that clients of a restarted service do not all reconnect at once. */
export const waitMs = (failures: number, random: number): number =>
  (waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0) * (0.8 + 0.2 * random)

class SignedOut extends Error {}

/** The service refused, and may have said when to try again. */
class RetryLater extends Error {
  readonly afterMs: number

  constructor(afterMs: number) {
    super("The service asked for a pause")
    this.afterMs = afterMs
  }
}

/** Follows until the signal is aborted. */
export const followChanges = async (following: StreamOptions): Promise<void> => {
  const { onEvent, onSignedOut, onState, signal } = following
  let failures = 0
  let since: number | undefined
  onState({ _tag: "Connecting" })
  while (!signal.aborted) {
    let askedMs = 0
    try {
      await read(following, (event) => {
        // First: other tabs begin to read when they hear that changes are followed.
        onEvent(event)
        if (event.name !== "hello") return
        failures = 0
        since = undefined
        onState({ _tag: "Live" })
      })
    } catch (error) {
      if (error instanceof SignedOut) return onSignedOut()
      if (error instanceof RetryLater) askedMs = error.afterMs
    }
    if (signal.aborted) return
    since ??= now()
    const pauseMs = Math.max(askedMs, waitMs(failures, chance()))
    // A restarting service ends every stream: the first retry does not yet count as a lost connection.
    onState(failures === 0 ? { _tag: "Connecting" } : { _tag: "Lost", since, retryAt: now() + pauseMs })
    failures += 1
    await wait(pauseMs, signal)
  }
}

/** Reads one response to its end, or until it has been silent for too long. */
const read = async (
  { accountId, position, signal }: StreamOptions,
  onEvent: (event: SseEvent) => void
): Promise<void> => {
  const silent = new AbortController()
  let stopWatch = after(silenceMaxMs, () => silent.abort())
  const isHeard = () => {
    stopWatch()
    stopWatch = after(silenceMaxMs, () => silent.abort())
  }
  const at = position()
  // Without a network the connection is lost at once.
  const lose = () => silent.abort()
  addEventListener("offline", lose)
  try {
    const answer = await fetch(`${service}/api/v1/admin/accounts/${encodeURIComponent(accountId)}/changes`, {
      headers: {
        accept: "text/event-stream",
        "x-runhook-console": "1",
        ...(at === undefined ? {} : { "last-event-id": at })
      },
      signal: AbortSignal.any([signal, silent.signal])
    })
    if (answer.status === 401) throw new SignedOut()
    if (!answer.ok || answer.body === null) {
      throw new RetryLater(Number(answer.headers.get("retry-after") ?? 0) * 1_000 || 0)
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

/** Retries at once, instead of after the pause. */
export const tryNow = (): void => {
  for (const wake of wakers) wake()
}

/** Waits, at most until the network is back or the tab becomes visible. */
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

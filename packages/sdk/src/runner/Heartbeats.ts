/** Keeps the leases of a process alive, and knows which have expired. */
import type { Clock } from "../call/Clock.ts"
import { pauseMs } from "../call/Retry.ts"
import { RunhookError } from "../Errors.ts"
import type { Heartbeat, HeartbeatAnswer, LeaseRef, News, Progress } from "../wire/Runner.ts"
import { attemptTimeoutMs, type Calls } from "./Calls.ts"
import { leaseMs } from "./Intervals.ts"

/** Shortest time between beats that only report progress, in milliseconds. */
const progressPauseMs = 1_000

/** Orders to the heartbeats. Plain data, since they may run in their own thread. */
export type Order =
  | { readonly type: "session"; readonly session_id: string; readonly heartbeat_ms: number }
  | { readonly type: "hold"; readonly lease: LeaseRef; readonly lease_ms: number }
  | { readonly type: "progress"; readonly lease: LeaseRef; readonly progress: Progress }
  | { readonly type: "drop"; readonly lease: LeaseRef }

interface Held {
  readonly lease: LeaseRef
  /** When the service stops accepting writes under it, by this machine's clock. */
  endsAt: number
  /** Progress that the service has not received. */
  progress: Progress | undefined
}

export interface HeartbeatsOptions {
  /** Makes one call, and waits at most this many milliseconds for its answer. */
  readonly beat: (body: Heartbeat, limitMs: number) => Promise<Omit<HeartbeatAnswer, "request_id">>
  readonly clock: Clock
  /** Receives the service's answers, and leases that expired while it could not be reached. */
  readonly tell: (news: News) => void
}

/** One attempt per beat: the heartbeats decide when to try again. */
export const beatBy =
  ({ heartbeat }: Pick<Calls, "heartbeat">): HeartbeatsOptions["beat"] =>
  (body, limitMs) =>
    heartbeat(body, { retries: 0, attemptTimeoutMs: Math.min(limitMs, attemptTimeoutMs) })

export class Heartbeats {
  readonly #options: HeartbeatsOptions
  readonly #held = new Map<string, Held>()
  #session: Extract<Order, { readonly type: "session" }> | undefined
  #beatAt = 0
  /** When to try again after a beat that failed. */
  #retryAt: number | undefined
  #failures = 0
  #isBeating = false
  #forgetPlan = () => {}

  constructor(options: HeartbeatsOptions) {
    this.#options = options
  }

  take(order: Order): void {
    switch (order.type) {
      case "session":
        this.#session = order
        break
      case "hold":
        // A claim has just told the service as much as a heartbeat would.
        if (this.#held.size === 0) this.#beatAt = this.#now
        this.#held.set(keyOf(order.lease), {
          lease: order.lease,
          endsAt: this.#now + leaseMs(order.lease_ms),
          progress: undefined
        })
        break
      case "progress": {
        const held = this.#held.get(keyOf(order.lease))
        if (held !== undefined) held.progress = order.progress
        break
      }
      case "drop":
        this.#held.delete(keyOf(order.lease))
    }
    this.#plan()
  }

  /** Stops the heartbeats. */
  stop(): void {
    this.#held.clear()
    this.#plan()
  }

  get #now(): number {
    return this.#options.clock.now()
  }

  #plan(): void {
    this.#forgetPlan()
    const session = this.#session
    if (session === undefined || this.#held.size === 0 || this.#isBeating) return
    const hasNews = [...this.#held.values()].some(({ progress }) => progress !== undefined)
    const pause = hasNews ? Math.min(progressPauseMs, session.heartbeat_ms) : session.heartbeat_ms
    const dueAt = this.#retryAt ?? this.#beatAt + pause
    this.#forgetPlan = this.#options.clock.after(
      Math.max(0, dueAt - this.#now),
      () => void this.#beat(session)
    )
  }

  async #beat({ heartbeat_ms, session_id }: Extract<Order, { readonly type: "session" }>): Promise<void> {
    const { beat, clock, tell } = this.#options
    const telling = [...this.#held.values()]
    const beats = telling.map(({ lease, progress }) =>
      progress === undefined ? lease : { ...lease, progress }
    )
    // Sent once, even if the call fails: a lease must not depend on progress texts.
    for (const held of telling) held.progress = undefined
    this.#isBeating = true
    this.#beatAt = this.#now
    try {
      // No answer is awaited past the end of a lease. One that seems to be over already is the service's to judge.
      const limitMs = this.#leftMs > 0 ? this.#leftMs : heartbeat_ms
      const answer = await beat({ session_id, beats }, limitMs)
      this.#failures = 0
      this.#retryAt = undefined
      for (const held of telling) {
        const renewed = answer.leases.find(({ execution_id }) => execution_id === held.lease.execution_id)
        // Counted from the request, since the time of the answer's way is unknown.
        if (renewed !== undefined) held.endsAt = this.#beatAt + leaseMs(renewed.lease_ms)
      }
      tell({ commands: answer.commands, lost: answer.lost })
    } catch (cause) {
      const retryAfterMs = cause instanceof RunhookError ? cause.retryAfterMs : null
      const delayMs = pauseMs(++this.#failures, retryAfterMs, clock.random)
      const lost = this.#expired()
      this.#retryAt = this.#now + Math.min(delayMs, this.#leftMs)
      if (lost.length > 0) tell({ commands: [], lost })
    } finally {
      this.#isBeating = false
      this.#plan()
    }
  }

  /** Until the first lease ends. */
  get #leftMs(): number {
    return Math.min(...[...this.#held.values()].map(({ endsAt }) => endsAt)) - this.#now
  }

  /** Drops the leases that were not extended in time. */
  #expired(): ReadonlyArray<LeaseRef> {
    const over = [...this.#held.values()].filter(({ endsAt }) => endsAt <= this.#now)
    for (const { lease } of over) this.#held.delete(keyOf(lease))
    return over.map(({ lease }) => lease)
  }
}

const keyOf = ({ epoch, execution_id }: LeaseRef): string => `${execution_id} ${epoch}`

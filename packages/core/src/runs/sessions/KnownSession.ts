/**
 * What a process knows about a session that polls it, so that a look asks nothing twice: neither whether there is
 * news, nor whether there is work. Signals are hints, so what was read counts only for a while.
 */
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { InFlight } from "../Lease.ts"
import type { RunnerSession } from "./RunnerSession.ts"
import type { LookedForWork } from "../RunStore.ts"
import type { Mark, Remembered, Signals } from "../../signals/Signals.ts"

/** When something was about to be read, by the clock and in the order of the signals. */
export interface Moment {
  readonly at: DateTime.Utc
  readonly mark: Mark
}

interface KnownSessionOptions {
  readonly signals: Signals["Service"]
  /** How long something counts that was read. */
  readonly lifetime: Duration.Duration
  readonly session: RunnerSession
}

export class KnownSession {
  readonly #signals: Signals["Service"]
  readonly #lifetime: Duration.Duration
  #session: RunnerSession
  /** Of the last sign of life after which there was nothing to tell. */
  #heard: Moment | undefined
  /** The work that was named and held then, and what came since. */
  #held = new Set<string>()
  #looked: (Moment & Omit<LookedForWork, "claims">) | undefined
  /** Whether there was work that had not just been signalled. */
  #isBacklog = false
  #polled: Mark = -1

  constructor({ lifetime, session, signals }: KnownSessionOptions) {
    this.#signals = signals
    this.#lifetime = lifetime
    this.#session = session
  }

  get session(): RunnerSession {
    return this.#session
  }

  /** Whether a sign of life would neither say nor hear anything new. */
  isHeard(
    sign: { readonly inFlight: ReadonlyArray<InFlight>; readonly isDraining: boolean },
    at: DateTime.Utc
  ): boolean {
    return (
      this.#counts(this.#heard, at, [`session:${this.#session.id}`]) &&
      this.#session.isDraining === sign.isDraining &&
      sign.inFlight.every((each) => this.#held.has(keyOf(each)))
    )
  }

  /** A sign of life was read. `held` is the work that it named; null if there is something to tell. */
  hear(session: RunnerSession, held: ReadonlyArray<InFlight> | null, then: Moment): void {
    // Both are read again at the same time.
    if (!this.#isYoung(this.#heard, then.at)) this.#looked = undefined
    this.#session = session
    this.#heard = held === null ? undefined : then
    this.#held = new Set(held?.map(keyOf))
  }

  /** What a look for work would find, if it is known that it is nothing. */
  idle(at: DateTime.Utc): LookedForWork | undefined {
    if (this.#looked?.isMoreDue !== false || !this.#counts(this.#looked, at, this.#works)) return undefined
    const { isMoreDue, nextDueAt } = this.#looked
    const isIdle = nextDueAt === null || DateTime.isGreaterThan(nextDueAt, at)
    return isIdle ? { claims: [], isMoreDue, nextDueAt } : undefined
  }

  /** Whether a claim will probably find something: work was signalled since the last look, or waits in numbers. */
  get isWorkLikely(): boolean {
    return (
      this.#isBacklog ||
      (this.#looked !== undefined && !this.#signals.isQuiet(this.#works, this.#looked.mark))
    )
  }

  /** A look for work was made. */
  look({ claims, isMoreDue, nextDueAt }: LookedForWork, then: Moment): void {
    const wasSignalled = this.#looked === undefined || !this.#signals.isQuiet(this.#works, this.#looked.mark)
    this.#isBacklog = claims.length > 0 && (this.#isBacklog || !wasSignalled)
    this.#looked = { isMoreDue, nextDueAt, ...then }
    this.hold(claims)
  }

  /** It was given work. */
  hold(claims: LookedForWork["claims"]): void {
    for (const { run } of claims) {
      this.#held.add(keyOf({ executionId: run.execution.id, epoch: run.execution.epoch }))
    }
  }

  /** Until when what was read counts: of work as well, where the session takes any. */
  countsUntil({ dueAt, isTaking }: { readonly dueAt: DateTime.Utc | null; readonly isTaking: boolean }) {
    const ends = [this.#heard, isTaking ? this.#looked : undefined].map(
      (read) => read && DateTime.addDuration(read.at, this.#lifetime)
    )
    return [dueAt, ...ends].reduce<DateTime.Utc | null>(
      (first, end) => (end ? DateTime.min(first ?? end, end) : first),
      null
    )
  }

  /** It polls here, which ends its earlier polls. Nothing is known if one of them was elsewhere. */
  get polls(): Effect.Effect<void> {
    const topic = `poll:${this.#session.id}` as const
    return Effect.suspend(() => {
      if (!this.#signals.isQuiet([topic], this.#polled)) {
        this.#heard = undefined
        this.#looked = undefined
      }
      return Effect.map(this.#signals.notify([topic]), () => {
        this.#polled = this.#signals.mark()
      })
    })
  }

  #counts(read: Moment | undefined, at: DateTime.Utc, topics: ReadonlyArray<Remembered>): read is Moment {
    return read !== undefined && this.#isYoung(read, at) && this.#signals.isQuiet(topics, read.mark)
  }

  /** A clock may be set back. */
  #isYoung(read: Moment | undefined, at: DateTime.Utc): boolean {
    return (
      read !== undefined &&
      DateTime.isLessThanOrEqualTo(read.at, at) &&
      DateTime.isGreaterThan(DateTime.addDuration(read.at, this.#lifetime), at)
    )
  }

  get #works(): ReadonlyArray<Remembered> {
    const { accountId, agentIds } = this.#session
    return agentIds === null
      ? [`work:${accountId}`]
      : agentIds.map((agentId) => `work:${accountId}:${agentId}` as const)
  }
}

const keyOf = ({ epoch, executionId }: InFlight): string => `${executionId} ${epoch}`

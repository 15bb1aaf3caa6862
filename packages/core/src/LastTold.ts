/** What each runner session was told last, so that a piece of news cuts its polls short once. */
import type { SessionId } from "./domain/Ids.ts"

const nothing: ReadonlySet<string> = new Set()

export class LastTold {
  readonly #newsOf = new Map<SessionId, ReadonlySet<string>>()
  readonly #sessionsMax: number

  /** Remembers at most `sessionsMax` sessions. One that is forgotten is told its news once more, which is harmless. */
  constructor(sessionsMax: number) {
    this.#sessionsMax = sessionsMax
  }

  to(id: SessionId): ReadonlySet<string> {
    return this.#newsOf.get(id) ?? nothing
  }

  /** Replaces what was told to the session before. */
  note(id: SessionId, news: ReadonlyArray<string>): void {
    this.#newsOf.delete(id)
    if (news.length > 0) this.#newsOf.set(id, new Set(news))
    // A map keeps the order of its entries, so the first is the session that was told something longest ago.
    for (const oldest of this.#newsOf.keys()) {
      if (this.#newsOf.size <= this.#sessionsMax) return
      this.#newsOf.delete(oldest)
    }
  }
}

/** The news that each runner session has received, so that a piece of news ends its polls only once. */
import type { SessionId } from "../../shared/Ids.ts"
import { BoundedMap } from "../../engine/BoundedMap.ts"

const nothing: ReadonlySet<string> = new Set()

export class DeliveredNews {
  readonly #newsOf: BoundedMap<SessionId, ReadonlySet<string>>

  /** Remembers at most `sessionsMax` sessions. A forgotten one gets its news once more, which is harmless. */
  constructor(sessionsMax: number) {
    this.#newsOf = new BoundedMap(sessionsMax)
  }

  to(id: SessionId): ReadonlySet<string> {
    return this.#newsOf.get(id) ?? nothing
  }

  /** Replaces the earlier news of the session. */
  note(id: SessionId, news: ReadonlyArray<string>): void {
    if (news.length === 0) this.#newsOf.delete(id)
    else this.#newsOf.set(id, new Set(news))
  }
}

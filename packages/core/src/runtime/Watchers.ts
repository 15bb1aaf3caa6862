/** The watchers of accounts in this process, and what they hear. */
import { accountIn, changeIn, type ChangeWord } from "../domain/account/AccountChange.ts"
import type { AccountId } from "../domain/Ids.ts"
import { type Heard, isChange, type Topic } from "../ports/Signals.ts"

type Hear = (heard: Heard) => void

export class Watchers {
  /** By the id of the account. */
  readonly #hearersOf = new Map<string, Set<Hear>>()

  join(accountId: AccountId, hear: Hear): void {
    const others = this.#hearersOf.get(accountId)
    if (others === undefined) this.#hearersOf.set(accountId, new Set([hear]))
    else others.add(hear)
  }

  leave(accountId: AccountId, hear: Hear): void {
    const others = this.#hearersOf.get(accountId)
    others?.delete(hear)
    if (others?.size === 0) this.#hearersOf.delete(accountId)
  }

  /** Passes on the topics that concern watchers. Costs nothing when there are none. */
  tell(topics: ReadonlyArray<Topic>): void {
    if (this.#hearersOf.size === 0) return
    for (const topic of topics) {
      if (isLoss(topic)) this.#tellAll("changes_lost")
      else if (isChange(topic)) this.#tellOf(topic)
    }
  }

  #tellOf(word: ChangeWord): void {
    const hearers = this.#hearersOf.get(accountIn(word))
    const change = hearers && changeIn(word)
    if (change !== undefined) for (const hear of hearers ?? []) hear(change)
  }

  #tellAll(heard: Heard): void {
    for (const hearers of this.#hearersOf.values()) for (const hear of hearers) hear(heard)
  }
}

const isLoss = (topic: Topic): boolean => topic === "anything" || topic === "changes_lost"

/** The watchers of accounts in this process, and what they hear. */
import { accountIn, changeIn, type ChangeWord } from "../accounts/AccountChange.ts"
import type { AccountId } from "../shared/Ids.ts"
import { type Heard, isChange, type Topic } from "./Signals.ts"
import { SetsByKey } from "../engine/SetsByKey.ts"

type Hear = (heard: Heard) => void

export class Watchers {
  /** By the id of the account. */
  readonly #hearers = new SetsByKey<string, Hear>()

  join(accountId: AccountId, hear: Hear): void {
    this.#hearers.add(accountId, hear)
  }

  leave(accountId: AccountId, hear: Hear): void {
    this.#hearers.delete(accountId, hear)
  }

  /** Passes on the topics that concern watchers. Costs nothing when there are none. */
  tell(topics: ReadonlyArray<Topic>): void {
    if (this.#hearers.isEmpty) return
    for (const topic of topics) {
      if (isLoss(topic)) for (const hear of this.#hearers) hear("changes_lost")
      else if (isChange(topic)) this.#tellOf(topic)
    }
  }

  #tellOf(word: ChangeWord): void {
    let change: Heard | undefined
    for (const hear of this.#hearers.of(accountIn(word))) {
      change ??= changeIn(word)
      if (change !== undefined) hear(change)
    }
  }
}

const isLoss = (topic: Topic): boolean => topic === "anything" || topic === "changes_lost"

/**
 * Notifications to be sent to other processes, each once. Beyond a bound, changes of one account are reduced to their
 * kinds, and all of them to one word: anything.
 */
import { accountIn, type ChangeWord, isChangeWord, kindOnly } from "@runhook/core/accounts/AccountChange"
import type { Word } from "./NotifyPayload.ts"

export interface PendingLimits {
  readonly wordsMax: number
  readonly changesOfAccountMax: number
}

export class PendingNotifications {
  #words = new Set<Word>()
  /** Number of changes by account id. */
  #changesOf = new Map<string, number>()
  readonly #limits: PendingLimits

  constructor(limits: PendingLimits) {
    this.#limits = limits
  }

  add(words: ReadonlyArray<Word>): void {
    if (this.#words.has("anything")) return
    for (const word of words) this.#words.add(isChangeWord(word) ? this.#countedChange(word) : word)
    if (this.#words.size > this.#limits.wordsMax) this.#words = new Set(["anything"])
  }

  /** Takes and removes all. */
  take(): ReadonlySet<Word> {
    const words = this.#words
    this.#words = new Set()
    this.#changesOf = new Map()
    return words
  }

  #countedChange(word: ChangeWord): ChangeWord {
    const accountId = accountIn(word)
    const count = (this.#changesOf.get(accountId) ?? 0) + 1
    this.#changesOf.set(accountId, count)
    return count > this.#limits.changesOfAccountMax ? kindOnly(word) : word
  }
}

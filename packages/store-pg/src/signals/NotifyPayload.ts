/** The payload of a NOTIFY: the sending process, the topics it signals, and the accounts it watches. */
import { isChangeWord } from "@runhook/core/accounts/AccountChange"
import { AccountId } from "@runhook/core/shared/Ids"
import type { Topic } from "@runhook/core/signals/Signals"
import * as Array from "effect/Array"

/** The channel of all processes. */
export const channel = "runhook_signals"

/** What a process may send: topics that concern others, and that it watches an account. */
export type Word = Exclude<Topic, "draining"> | `watching:${AccountId}`

/**
 * PostgreSQL takes less than 8,000 bytes. The longest topic, a change of a waiting execution, takes 120 with its
 * space.
 */
const wordsPerNotice = 60

/** The words in as few notices as possible. */
export const noticesOf = (origin: string, words: Iterable<Word>): ReadonlyArray<string> =>
  Array.chunksOf(words, wordsPerNotice).map((told) => [origin, ...told].join(" "))

export interface HeardNotice {
  readonly topics: ReadonlyArray<Topic>
  /** The accounts that the other process watches. */
  readonly watched: ReadonlyArray<AccountId>
}

/**
 * What a notice means for the process `self`. It ignores its own notices, and unknown words, which are those of
 * another version.
 */
export const heardIn = (notice: string, { self }: { readonly self: string }): HeardNotice => {
  const [origin, ...words] = notice.split(" ")
  if (origin === self) return { topics: [], watched: [] }
  const watched = words.flatMap((word) => {
    const [, id] = /^watching:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(word) ?? []
    return id === undefined ? [] : [AccountId.make(id)]
  })
  return { topics: words.filter(isForOthers), watched }
}

/** Whether other processes need to know. That this one stops concerns nobody else. */
export const isForOthers = (word: string): word is Exclude<Topic, "draining"> =>
  word === "anything" ||
  word === "changes_lost" ||
  word === "deliveries" ||
  word === "endpoints" ||
  word === "jobs" ||
  word === "schedules" ||
  word === "seats" ||
  word === "signing_secrets" ||
  word === "sweeps" ||
  /^(?:(?:execution|key|messages|poll|session)|(?:room|work):[0-9a-f-]{36}):[0-9a-f-]{36}$/.test(word) ||
  isChangeWord(word)

/** What one process tells the others by NOTIFY: which one it is, and the topics it signals. */
import type { Topic } from "@runhook/core/ports/Signals"
import * as Array from "effect/Array"

/** Where processes tell and listen. */
export const channel = "runhook_signals"

/** PostgreSQL takes less than 8,000 bytes. The longest topic, that of work, takes 79 with its space. */
const topicsPerNotice = 95

/** Everything in as few notices as hold it. */
export const noticesOf = (origin: string, topics: Iterable<Topic>): ReadonlyArray<string> =>
  Array.chunksOf(topics, topicsPerNotice).map((told) => [origin, ...told].join(" "))

/**
 * What a notice says to the process `self`. Its own notices say nothing new,
 * and words that are no topics are those of another version.
 */
export const heardIn = (notice: string, { self }: { readonly self: string }): ReadonlyArray<Topic> => {
  const [origin, ...words] = notice.split(" ")
  return origin === self ? [] : words.filter(isForOthers)
}

/** Whether it concerns other processes. That this one stops is nobody else's business. */
export const isForOthers = (word: string): word is Exclude<Topic, "draining"> =>
  word === "anything" ||
  word === "deliveries" ||
  word === "replays" ||
  word === "signing_secrets" ||
  word === "sweeps" ||
  /^(?:(?:execution|key|poll|session)|work:[0-9a-f-]{36}):[0-9a-f-]{36}$/.test(word)

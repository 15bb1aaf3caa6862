/** When the topics that matter to polls were last signalled, as the order of their signals. */
import type { Mark, Remembered, Topic } from "./Signals.ts"

/** Topics that one process remembers. A forgotten topic may have been signalled until then. */
const topicsMax = 20_000

export class SignalMemory {
  #last: Mark = 0
  #forgottenUntil: Mark = 0
  readonly #lastOf = new Map<string, Mark>()

  mark(): Mark {
    return this.#last
  }

  note(topic: Topic): void {
    if (topic === "anything") {
      this.#lastOf.clear()
      this.#forgottenUntil = ++this.#last
    } else if (topic.startsWith("work:")) {
      this.#set(topic)
      this.#set(topic.slice(0, topic.lastIndexOf(":")))
    } else if (/^(?:messages|poll|session):/.test(topic)) this.#set(topic)
  }

  isQuiet(topics: ReadonlyArray<Remembered>, since: Mark): boolean {
    return since >= this.#forgottenUntil && topics.every((topic) => (this.#lastOf.get(topic) ?? 0) <= since)
  }

  #set(topic: string): void {
    this.#lastOf.delete(topic)
    this.#lastOf.set(topic, ++this.#last)
    for (const [oldest, at] of this.#lastOf) {
      if (this.#lastOf.size <= topicsMax) return
      this.#lastOf.delete(oldest)
      this.#forgottenUntil = at
    }
  }
}

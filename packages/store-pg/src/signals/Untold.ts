/** Topics that the other processes have yet to be told of: each once, and of too many only that there was something. */
import type { Topic } from "@runhook/core/ports/Signals"

export class Untold {
  #topics = new Set<Topic>()
  readonly #topicsMax: number

  /** Past `topicsMax` topics "anything" takes the place of them all. */
  constructor(topicsMax: number) {
    this.#topicsMax = topicsMax
  }

  add(topics: ReadonlyArray<Topic>): void {
    if (this.#topics.has("anything")) return
    for (const topic of topics) this.#topics.add(topic)
    if (this.#topics.size > this.#topicsMax) this.#topics = new Set(["anything"])
  }

  /** Takes all there are. */
  take(): ReadonlySet<Topic> {
    const topics = this.#topics
    this.#topics = new Set()
    return topics
  }
}

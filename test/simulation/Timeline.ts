/** The one time of a simulation, and what happens at which moment of it. Nothing else makes anything happen. */
import type { Chance } from "./Chance.ts"
import type { Host } from "./Host.ts"

interface Event {
  readonly at: number
  /** Chance decides between events of one moment. */
  readonly rank: number
  readonly host: Host
  readonly run: () => void
}

export class Timeline {
  /** Milliseconds since the simulation began. */
  elapsed = 0
  /** How far clocks were put forward. */
  jumped = 0
  readonly #begun: number
  readonly #chance: Chance
  /** Latest first. */
  readonly #events: Array<Event> = []
  readonly #ready: Array<() => void> = []

  constructor(chance: Chance, begun: number) {
    this.#chance = chance
    this.#begun = begun
  }

  /** What every clock shows. */
  get now(): number {
    return this.#begun + this.elapsed + this.jumped
  }

  /** Runs something on a host after so many milliseconds, unless it is called off. */
  after(milliseconds: number, host: Host, run: () => void): () => void {
    const at = this.elapsed + Math.max(0, Math.ceil(milliseconds))
    const event = { at, rank: this.#chance.random.nextDoubleUnsafe(), host, run }
    this.#insert(event)
    return () => {
      const place = this.#events.indexOf(event)
      if (place >= 0) this.#events.splice(place, 1)
    }
  }

  /** Runs something before anything else happens. */
  soon(run: () => void): void {
    this.#ready.push(run)
  }

  /** Lets happen what does until a moment, or until there is nothing more to do. */
  runUntil(end: number): void {
    for (;;) {
      this.#runReady()
      const next = this.#events.at(-1)
      if (next === undefined || next.at > end) break
      this.#events.pop()
      const { host } = next
      this.elapsed = next.at
      if (host.isDown) continue
      if (host.frozenUntil > this.elapsed) this.#insert({ ...next, at: host.frozenUntil })
      else next.run()
    }
    this.elapsed = end
  }

  #runReady(): void {
    for (let run = this.#ready.shift(); run !== undefined; run = this.#ready.shift()) run()
  }

  #insert(event: Event): void {
    let [low, high] = [0, this.#events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#events[middle]
      if (other !== undefined && isLater(other, event)) low = middle + 1
      else high = middle
    }
    this.#events.splice(low, 0, event)
  }
}

const isLater = (one: Event, other: Event): boolean =>
  one.at === other.at ? one.rank > other.rank : one.at > other.at

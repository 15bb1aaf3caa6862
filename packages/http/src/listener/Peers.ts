/** The open connections, and what is in flight on each of them. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type * as Clock from "effect/Clock"

export interface Peer {
  /** Answers that have not been handed over. */
  readonly answers: Set<ServerResponse>
  /** The last request; null until there is one. */
  request: IncomingMessage | null
  /** When it came in, in milliseconds. */
  requestedAt: number
}

export class Peers {
  readonly #clock: Clock.Clock
  readonly #all = new Map<Duplex, Peer>()

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#all.size
  }

  [Symbol.iterator](): IterableIterator<[Duplex, Peer]> {
    return this.#all.entries()
  }

  of(connection: Duplex): Peer | undefined {
    return this.#all.get(connection)
  }

  add(connection: Duplex): void {
    this.#all.set(connection, { answers: new Set(), request: null, requestedAt: 0 })
    connection.once("close", () => this.#all.delete(connection))
  }

  asked(request: IncomingMessage, answer: ServerResponse): void {
    const peer = this.of(request.socket)
    if (peer === undefined) return
    peer.request = request
    peer.requestedAt = this.#clock.currentTimeMillisUnsafe()
    peer.answers.add(answer)
    answer.once("close", () => peer.answers.delete(answer))
  }

  /** Ends each connection after its answers in flight. */
  endAfterAnswers(): void {
    for (const { answers } of this.#all.values()) {
      for (const answer of answers) answer.shouldKeepAlive = false
    }
  }
}

/** Whether the caller has seen the beginning of an answer, so that nothing else can be said. */
export const isMidAnswer = ({ answers }: Peer): boolean => [...answers].some((answer) => answer.headersSent)

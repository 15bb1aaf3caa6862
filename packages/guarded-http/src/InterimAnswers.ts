/**
 * Takes the interim answers (1xx) out of what a receiver sends, before the parser sees
 * them: undici ends a request at a 100 that it did not ask for. Receivers may send them
 * to any request (RFC 9110, 15.2), whole or in pieces, and as many as fit the limit.
 */
import type { Socket } from "node:net"
import { interimAnswersMax } from "./SizeLimits.ts"
import { TooManyInterimAnswers, UnaskedStatus } from "./TransportFailure.ts"

const nothing = Buffer.alloc(0)

/** The first bytes of an answer, which tell its status. */
const example = "HTTP/1.1 100"

export class InterimAnswers {
  /** Whether the final answer has not begun. */
  #isAwaited = false
  #count = 0
  /** What has come of an answer that may be an interim one. */
  #held: Buffer = nothing

  /** Another request begins. */
  renew(): void {
    this.#isAwaited = true
    this.#count = 0
    this.#held = nothing
  }

  /** Destroys the socket after too many interim answers, and after a status that ends the exchange. */
  guard(socket: Socket): void {
    const read = socket.read.bind(socket)
    socket.read = (size) => {
      const chunk: Buffer | null = read(size)
      if (chunk === null || !this.#isAwaited) return chunk
      const failure = this.#take(chunk)
      if (failure !== undefined) {
        socket.destroy(failure)
        return null
      }
      return this.#isAwaited ? nothing : this.#release()
    }
  }

  /** Drops the interim answers that are complete. */
  #take(chunk: Buffer): Error | undefined {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    for (;;) {
      const status = statusOf(this.#held)
      if (status === undefined) return undefined
      if (status >= 200) {
        this.#isAwaited = false
        return undefined
      }
      if (status < 100 || status === 101) return new UnaskedStatus({ status })
      if (this.#count === interimAnswersMax) return new TooManyInterimAnswers({})
      const end = this.#held.indexOf("\r\n\r\n")
      if (end === -1) return undefined
      this.#count += 1
      this.#held = this.#held.subarray(end + 4)
    }
  }

  #release(): Buffer {
    const released = this.#held
    this.#held = nothing
    return released
  }
}

/** The status of an answer that begins so; undefined before it is there. What is not HTTP is for the parser to judge. */
const statusOf = (bytes: Buffer): number | undefined => {
  const start = bytes.toString("latin1", 0, example.length)
  if (!/^HTTP\/\d\.\d \d{3}$/.test(start + example.slice(start.length))) return Infinity
  return start.length < example.length ? undefined : Number(start.slice(-3))
}

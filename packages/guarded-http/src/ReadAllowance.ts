/**
 * Bounds what is read from a socket, for one answer after the other. It counts
 * where the parser of HTTP takes its bytes, so that what the parser swallows
 * counts too: interim answers, the extensions of chunks, trailers.
 */
import type { Socket } from "node:net"
import { AnswerTooLong } from "./TransportFailure.ts"

export class ReadAllowance {
  #bytesMax = Infinity
  #bytesLeft = Infinity
  #isExceeded = false

  /** Allows so many bytes from here on, whatever was left. */
  renew(bytesMax: number): void {
    this.#bytesMax = bytesMax
    this.#bytesLeft = bytesMax
  }

  /** Destroys the socket once more is read from it than was allowed, and hands out what was. */
  guard(socket: Socket): void {
    const read = socket.read.bind(socket)
    socket.read = (size) => {
      if (this.#isExceeded) {
        socket.destroy(new AnswerTooLong({ kibibytes: Math.round(this.#bytesMax / 1024) }))
        return null
      }
      const chunk: Uint8Array | null = read(size)
      if (chunk === null) return null
      const allowed = chunk.subarray(0, this.#bytesLeft)
      this.#bytesLeft -= allowed.length
      // The parser reads until nothing is left, so it asks once more.
      this.#isExceeded = allowed.length < chunk.length
      return allowed
    }
  }
}

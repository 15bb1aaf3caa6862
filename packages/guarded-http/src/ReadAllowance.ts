/**
 * Bounds what is read from a socket, for one answer after the other. It counts
 * where the HTTP parser takes its bytes, so everything that the parser swallows
 * counts too: interim answers, chunk extensions, trailers.
 */
import type { Socket } from "node:net"
import { AnswerTooLong } from "./TransportFailure.ts"

export class ReadAllowance {
  #bytesMax = Infinity
  #bytesLeft = Infinity
  #isExceeded = false

  /** Allows so many bytes from now on, whatever was left. */
  renew(bytesMax: number): void {
    this.#bytesMax = bytesMax
    this.#bytesLeft = bytesMax
  }

  /**
   * Destroys the socket once more than the allowance was read from it, and still
   * passes on the allowed part.
   */
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

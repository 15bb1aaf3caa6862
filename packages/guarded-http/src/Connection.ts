/** What is known of one connection: recorded while it is made, and read by the requests that use it. */
import type { Socket } from "node:net"
import type * as Clock from "effect/Clock"
import { InterimAnswers } from "./InterimAnswers.ts"
import { ReadAllowance } from "./ReadAllowance.ts"
import { Stopwatch } from "./Stopwatch.ts"

export class Connection {
  readonly stopwatch: Stopwatch<"dns" | "connect" | "tls">
  /** The address that was dialled last; null until one was. */
  address: string | null = null
  /** Requests that were begun on it. */
  requests = 0
  /** What may still be read of it. */
  readonly #allowance = new ReadAllowance()
  readonly #interimAnswers = new InterimAnswers()
  #socket: Socket | null = null

  constructor(clock: Clock.Clock) {
    this.stopwatch = new Stopwatch(clock)
  }

  opened(socket: Socket): void {
    this.#socket = socket
    this.#allowance.guard(socket)
    this.#interimAnswers.guard(socket)
  }

  /** Another request begins, whose answer may have so many bytes. */
  begin(bytesMax: number): void {
    this.requests += 1
    this.#allowance.renew(bytesMax)
    this.#interimAnswers.renew()
  }

  /** Whether some of a request is not written yet. TLS notices the end of a write a turn of the event loop later. */
  get isWriting(): boolean {
    return this.#socket !== null && this.#socket.writableLength > 0
  }

  /** Calls back when everything was written, or the connection is closed. */
  whenWritten(then: () => void): void {
    this.#socket?.write(new Uint8Array(), then)
  }

  get isClosed(): boolean {
    return this.#socket?.destroyed ?? true
  }

  close(): void {
    this.#socket?.destroy()
  }

  /** Bytes of all answers that came over it. */
  get bytesRead(): number {
    return this.#socket?.bytesRead ?? 0
  }
}
